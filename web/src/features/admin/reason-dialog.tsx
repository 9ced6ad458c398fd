import { useState, type ReactNode } from 'react';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { Notice } from '../../shared/ui/notice';
import { TextField } from '../../shared/ui/text-field';

interface ReasonDialogProps {
  title: string;
  /** What follows from the act. */
  children?: ReactNode;
  /** Further fields, before the reason. */
  fields?: ReactNode;
  confirmLabel: string;
  /** True if the user reads the reason too. */
  isReasonShown?: boolean | undefined;
  variant?: 'danger' | 'primary';
  mutation: { isPending: boolean; error: Error | null };
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of an act, which the audit log keeps. */
export function ReasonDialog(props: ReasonDialogProps) {
  const {
    title,
    children,
    fields,
    confirmLabel,
    isReasonShown = false,
    variant = 'primary',
    mutation: { isPending, error },
    onConfirm,
    onClose,
  } = props;
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  return (
    <Dialog label={title} guarded={isPending} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending) return;
          if (reason.trim() === '') setMissing(true);
          else onConfirm(reason.trim());
        }}
      >
        <h2 aria-hidden="true" className="pr-10 text-2xl">
          {title}
        </h2>
        {children && <p className="wrap-anywhere text-quiet">{children}</p>}
        {fields}
        <TextField
          label="Reason"
          hint={isReasonShown ? 'Kept in the audit log, and shown to the user.' : 'Kept in the audit log.'}
          value={reason}
          maxLength={500}
          autoComplete="off"
          error={isMissing ? 'Give a reason.' : undefined}
          onChange={({ currentTarget }) => {
            setReason(currentTarget.value);
            setMissing(false);
          }}
        />
        {error && <Notice tone="danger">{error.message}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant={variant} busy={isPending}>
            {confirmLabel}
          </Button>
          <Button variant="quiet" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
