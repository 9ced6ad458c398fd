import { useState } from 'react';
import { ArrowUp } from 'lucide-react';
import toast from 'react-hot-toast';
import { drafts } from '../../shared/drafts/drafts';
import { controlClass } from '../../shared/ui/field-frame';
import { Spinner } from '../../shared/ui/spinner';

/** A question that is being written, stored across reloads under a name. */
export function useQuestionDraft(name: string): readonly [string, (question: string) => void] {
  const [question, setQuestion] = useState(() => {
    const draft = drafts.read(name);
    return typeof draft === 'string' ? draft : '';
  });
  const change = (text: string) => {
    setQuestion(text);
    drafts.write(name, text);
  };
  return [question, change];
}

interface QuestionFieldProps {
  question: string;
  maxLength: number;
  placeholder: string;
  disabled: boolean;
  /** True while a question is sent or answered. */
  busy: boolean;
  /** True if the server does not yet allow another question. */
  waiting: boolean;
  onChange: (question: string) => void;
  onAsk: (question: string) => void;
}

/** Text field for a question, which grows with its text. Enter sends, Shift+Enter inserts a line break. */
export function QuestionField(props: QuestionFieldProps) {
  const { question, maxLength, placeholder, disabled, busy, waiting, onChange, onAsk } = props;
  const ask = () => {
    if (disabled || busy) return;
    const message = question.trim();
    if (message === '') toast.error('Please enter your question');
    else onAsk(message);
  };
  return (
    <form
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
      className="flex items-end gap-2"
    >
      <textarea
        aria-label="Your question"
        rows={1}
        dir="auto"
        maxLength={maxLength}
        value={question}
        disabled={disabled}
        // Read-only instead of disabled, since a disabled field would lose the focus.
        readOnly={busy}
        aria-disabled={busy || undefined}
        placeholder={placeholder}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          ask();
        }}
        className={`${controlClass} field-sizing-content max-h-[150px] min-h-12 flex-1 resize-none`}
      />
      <button
        type="submit"
        disabled={disabled}
        aria-disabled={busy || waiting || undefined}
        aria-label="Send"
        className="grid size-12 shrink-0 place-items-center rounded-control bg-accent text-on-accent enabled:hover:bg-accent-strong disabled:bg-line disabled:text-quiet aria-disabled:cursor-default aria-disabled:bg-line aria-disabled:text-quiet"
      >
        {busy ? <Spinner className="size-5" /> : <ArrowUp aria-hidden="true" className="size-5" />}
      </button>
    </form>
  );
}
