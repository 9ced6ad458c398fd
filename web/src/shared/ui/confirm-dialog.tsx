import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { Notice } from './notice';

interface ConfirmDialogProps {
  /** A question, such as "Delete the webhook?". */
  title: string;
  /** What follows from it. */
  children: ReactNode;
  confirmLabel: string;
  variant?: 'danger' | 'primary';
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action, and shows its error. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, children, confirmLabel, variant = 'danger', busy, error, onConfirm, onClose } = props;
  return (
    <Dialog label={title} guarded={busy} onClose={onClose}>
      <h2 aria-hidden="true" className="pr-10 text-2xl">
        {title}
      </h2>
      <p className="mt-4 wrap-anywhere text-quiet">{children}</p>
      {error && (
        <div className="mt-4">
          <Notice tone="danger">{error.message}</Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant={variant} busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
};
