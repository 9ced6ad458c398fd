import type { ReactNode } from 'react';
import toast from 'react-hot-toast';
import { Button } from './button';
import { Notice } from './notice';

interface CancelQuestionProps {
  title: string;
  /** The text of the button that cancels. */
  confirm: string;
  busy: boolean;
  /** Rejects with what to tell. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** What cancelling does. */
  children: ReactNode;
}

/** Asks before something is cancelled that cannot go on later. */
export function CancelQuestion({ title, confirm, busy, onConfirm, onClose, children }: CancelQuestionProps) {
  return (
    <Notice
      tone="warning"
      title={title}
      action={
        <>
          <Button
            variant="danger"
            size="small"
            busy={busy}
            // Told also when the question is gone before the answer.
            onClick={() => void onConfirm().then(onClose, ({ message }: Error) => toast.error(message))}
          >
            {confirm}
          </Button>
          {/* The harmless answer. */}
          {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
          <Button size="small" autoFocus onClick={onClose}>
            Keep going
          </Button>
        </>
      }
    >
      {children}
    </Notice>
  );
}
