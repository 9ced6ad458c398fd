import type { ReactNode } from 'react';
import toast from 'react-hot-toast';
import { Button } from './button';
import { Notice } from './notice';

interface CancelQuestionProps {
  title: string;
  /** The text of the button that cancels. */
  confirm: string;
  busy: boolean;
  /** Rejects with an error whose message is shown. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** What cancelling does. */
  children: ReactNode;
}

/** Asks for confirmation before something is cancelled for good. */
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
            // Works after this question is unmounted too.
            onClick={() => void onConfirm().then(onClose, ({ message }: Error) => toast.error(message))}
          >
            {confirm}
          </Button>
          {/* Autofocus is on the safe choice. */}
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
