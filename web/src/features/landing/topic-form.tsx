import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { shorten } from '#libs/contract/text.js';
import { drafts } from '../../shared/drafts/drafts';
import { NEW_ACCOUNT, paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { TextField } from '../../shared/ui/text-field';

const ARTICLE = 'write-article';
const MAX_CHARACTERS = 4000;
const MESSAGE_CHARACTERS = 120;

/** Asks for an article's topic and stores the topic as a draft, which survives signing in. */
export function TopicForm() {
  /**
   * The stored draft's topic (`waiting`) and the new topic (`prompt`), if they differ and the visitor must choose; else
   * null.
   */
  const [choice, setChoice] = useState<{ waiting: string; prompt: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const open = () => void navigate(`${paths.tool(ARTICLE)}?${NEW_ACCOUNT}`);
  const openWith = (prompt: string) => {
    drafts.write(ARTICLE, { ...draftOf(drafts.read(ARTICLE)), prompt });
    open();
  };
  return (
    <form
      className="mt-9 flex max-w-lg flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        // The field is uncontrolled, so that text typed before hydration is not lost.
        const prompt = field.current?.value.trim() ?? '';
        const waiting = draftOf(drafts.read(ARTICLE)).prompt?.trim() ?? '';
        if (prompt === '' || prompt === waiting) open();
        else if (waiting === '') openWith(prompt);
        else setChoice({ waiting, prompt });
      }}
    >
      <div className="min-w-56 flex-1">
        <TextField
          ref={field}
          label="What should the article be about?"
          placeholder="The future of remote work in small towns"
          autoComplete="off"
          maxLength={MAX_CHARACTERS}
          onChange={() => setChoice(null)}
        />
      </div>
      <Button type="submit">Write an article</Button>
      {choice !== null && (
        <div className="w-full">
          <Notice
            tone="note"
            title="You already have a draft"
            action={
              <>
                <Button size="small" onClick={() => openWith(choice.prompt)}>
                  Replace draft
                </Button>
                <Button size="small" variant="quiet" onClick={open}>
                  Keep draft
                </Button>
              </>
            }
          >
            “{shorten(choice.waiting, MESSAGE_CHARACTERS)}”
          </Notice>
        </div>
      )}
    </form>
  );
}

/** Parses the draft of the article form by hand: importing the form's schema would make the start page larger. */
function draftOf(draft: unknown): { prompt?: string } {
  if (typeof draft !== 'object' || draft === null) return {};
  const { prompt } = draft as { prompt?: unknown };
  return { ...draft, prompt: typeof prompt === 'string' ? prompt : undefined };
}
