import { useState } from 'react';
import { ArrowUp } from 'lucide-react';
import toast from 'react-hot-toast';
import type { Job } from '#libs/contract/jobs.js';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import { QUESTION_MAX_CHARACTERS } from '#libs/tools/chat-with-pdf/contract.js';
import { controlClass } from '../../../shared/ui/field-frame';
import type { FileChoice } from '../../../modules/submission/files/use-file-choice';
import { useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { SubmissionProblem } from '../../../modules/runs/jobs/submission-problem';
import { useSubmission } from '../../../modules/submission/form/use-submission';
import { Spinner } from '../../../shared/ui/spinner';
import { drafts } from '../../../shared/drafts/drafts';

const DRAFT = 'chat-with-pdf';

interface QuestionBoxProps {
  /** A chosen file, which is uploaded with the first question. */
  upload: FileChoice;
  fileName: string | null;
  history: readonly PdfChatMessage[];
  /** Language of the new file's scanned pages, if any. */
  language?: ScanLanguage;
  waiting: boolean;
  onAsked: (job: Job, question: string) => void;
}

/** Text field for a question, which grows with its text. Enter sends, Shift+Enter inserts a line break. */
export function QuestionBox({ upload, fileName, history, language, waiting, onAsked }: QuestionBoxProps) {
  const [question, setQuestion] = useState(() => {
    const draft = drafts.read(DRAFT);
    return typeof draft === 'string' ? draft : '';
  });
  const needsPremium = useNeedsPremium();
  const change = (text: string) => {
    setQuestion(text);
    drafts.write(DRAFT, text);
  };
  const { send, retry, sending, problem, wait } = useSubmission('chat-with-pdf', {
    onSubmitted: (job) => {
      onAsked(job, question.trim());
      change('');
    },
    onFieldError: { pdf: upload.reject },
  });
  const { file } = upload;
  const hasFile = file !== null || fileName !== null;
  const disabled = !hasFile || needsPremium;
  const busy = waiting || sending;

  const ask = () => {
    if (disabled || busy) return;
    const message = question.trim();
    if (message === '') {
      toast.error('Please enter your question');
      return;
    }
    const chatHistory = history.map(({ role, content }) => ({ role, content }));
    if (file !== null) send({ input: { message, chatHistory, language }, files: { pdf: file } });
    else if (fileName !== null) send({ input: { message, chatHistory, file_name: fileName } });
    else toast.error('Please upload a PDF file first');
  };

  return (
    <>
      {problem !== null && <SubmissionProblem error={problem} onRetry={retry} />}
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
          maxLength={QUESTION_MAX_CHARACTERS}
          value={question}
          disabled={disabled}
          // Read-only instead of disabled, since a disabled field would lose the focus.
          readOnly={busy}
          aria-disabled={busy || undefined}
          placeholder={hasFile ? 'Ask questions about the PDF...' : 'Upload a PDF to start chatting'}
          onChange={({ currentTarget }) => change(currentTarget.value)}
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
          aria-disabled={busy || wait > 0 || undefined}
          aria-label="Send"
          className="grid size-12 shrink-0 place-items-center rounded-control bg-accent text-on-accent enabled:hover:bg-accent-strong disabled:bg-line disabled:text-quiet aria-disabled:cursor-default aria-disabled:bg-line aria-disabled:text-quiet"
        >
          {sending || waiting ? (
            <Spinner className="size-5" />
          ) : (
            <ArrowUp aria-hidden="true" className="size-5" />
          )}
        </button>
      </form>
    </>
  );
}
