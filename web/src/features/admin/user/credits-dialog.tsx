import { useState } from 'react';
import toast from 'react-hot-toast';
import { TextField } from '../../../shared/ui/text-field';
import { useActOnUser } from '../admin-api';
import { ReasonDialog } from '../reason-dialog';

/** Gives a user credits, or takes them. */
export function CreditsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const act = useActOnUser();
  const [amount, setAmount] = useState('');
  const [error, setError] = useState<string | undefined>();
  const confirm = (reason: string) => {
    if (!/^-?[1-9]\d{0,5}$/.test(amount.trim())) return setError('Give a whole number, such as 10 or -10.');
    act.mutate(
      { id, reason, act: { kind: 'credits', amount: Number(amount) } },
      {
        onSuccess: () => {
          toast.success('Done');
          onClose();
        },
      },
    );
  };
  return (
    <ReasonDialog
      title="Give or take credits?"
      confirmLabel="Save"
      isReasonShown
      mutation={act}
      fields={
        <TextField
          label="Credits"
          inputMode="numeric"
          value={amount}
          error={error}
          onChange={({ currentTarget }) => {
            setAmount(currentTarget.value);
            setError(undefined);
          }}
        />
      }
      onConfirm={confirm}
      onClose={onClose}
    >
      Of this month. A negative number takes credits away.
    </ReasonDialog>
  );
}
