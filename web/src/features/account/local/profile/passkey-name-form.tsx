import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { TextField } from '../../../../shared/ui/text-field';
import { passkeyNameSchema } from '../api/field-schemas';
import { AuthProblem } from '../ui/auth-problem';

const schema = z.object({ name: passkeyNameSchema });

interface PasskeyNameFormProps {
  name: string;
  busy: boolean;
  error: Error | null;
  onSave: (name: string) => void;
  onCancel: () => void;
}

export function PasskeyNameForm({ name, busy, error, onSave, onCancel }: PasskeyNameFormProps) {
  const { register, handleSubmit, setFocus, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { name },
  });
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus]);
  return (
    <form
      onSubmit={(event) => void handleSubmit((typed) => onSave(typed.name))(event)}
      noValidate
      aria-label={`Rename ${name}`}
      className="grid gap-3"
    >
      <TextField
        label="Name"
        autoComplete="off"
        required
        error={formState.errors.name?.message}
        {...register('name')}
      />
      {error && <AuthProblem error={error} />}
      <div className="flex gap-2">
        <Button type="submit" size="small" variant="primary" busy={busy}>
          Save
        </Button>
        <Button size="small" variant="quiet" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
