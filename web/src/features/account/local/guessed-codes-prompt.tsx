import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { Notice } from '../../../shared/ui/notice';
import { describeGuesses, GUESSED_TITLE, useDismissGuessedCodes, useGuessedCodes } from './api/guessed-codes';
import type { AccountSection } from './profile/profile-dialog';

interface GuessedCodesPromptProps {
  /** Time of the guesses whose dialog was closed in this tab. */
  closed: string | null;
  onClose: (at: string) => void;
  onOpen: (section: AccountSection) => void;
  /** Shown if there is no dialog. */
  children: ReactNode;
}

/** Tells the owner that somebody with the password guessed codes: after each page load, until the owner dismisses it. */
export default function GuessedCodesPrompt({ closed, onClose, onOpen, children }: GuessedCodesPromptProps) {
  const { data: guessed, isPending } = useGuessedCodes();
  const dismiss = useDismissGuessedCodes();
  if (isPending) return null;
  if (!guessed || guessed.at === closed) return children;
  const close = () => onClose(guessed.at);
  const open = (section: AccountSection) => {
    close();
    onOpen(section);
  };
  return (
    <Dialog label={GUESSED_TITLE} initialFocus="dialog" onClose={close}>
      <h2 className="text-2xl">{GUESSED_TITLE}</h2>
      <p className="mt-4 text-quiet">
        {describeGuesses(guessed)} If this was not you, change your password, and end the sessions that you do
        not recognize.
      </p>
      <Button variant="primary" className="mt-8 w-full" onClick={() => open('security')}>
        Change the password
      </Button>
      <Button className="mt-2 w-full" onClick={() => open('sessions')}>
        See the sessions
      </Button>
      {dismiss.error && (
        <div className="mt-4">
          <Notice tone="danger">{dismiss.error.message}</Notice>
        </div>
      )}
      <Button
        variant="quiet"
        className="mt-2 w-full"
        busy={dismiss.isPending}
        onClick={() => dismiss.mutate()}
      >
        It was me
      </Button>
    </Dialog>
  );
}
