import type { ReactNode } from 'react';
import { Button } from './button';
import { Notice } from './notice';

interface CancelQuestionProps {
  title: string;
  /** The text of the button that cancels. */
  confirm: string;
  busy: boolean;
  onConfirm: () => void;
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
          <Button variant="danger" size="small" busy={busy} onClick={onConfirm}>
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
