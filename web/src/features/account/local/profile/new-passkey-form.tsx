import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useQueryClient } from '@tanstack/react-query';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { PasswordField } from '../../../../shared/ui/password-field';
import { TextField } from '../../../../shared/ui/text-field';
import { authErrorMessage } from '../api/auth-error-message';
import { passkeyNameSchema } from '../api/field-schemas';
import { addPasskey, PasskeyNotUsed } from '../api/passkey-api';
import { passkeyMessage } from '../api/passkey-message';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { describeBrowser } from './describe-session';
import { HiddenUsername } from './hidden-username';
import { useAccountMutation } from './use-account-mutation';

const schema = z.object({
  name: passkeyNameSchema,
  password: z.string().min(1, 'Enter your password to go on.'),
});

/** Adds a passkey of this device, or of one that the browser reaches. */
export function NewPasskeyForm({ email, onClose }: { email: string | null; onClose: () => void }) {
  const queries = useQueryClient();
  const { register, handleSubmit, setError, setFocus, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { name: describeBrowser(navigator.userAgent), password: '' },
  });
  useEffect(() => setFocus('password'), [setFocus]);
  const add = useAccountMutation({
    mutationFn: addPasskey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.passkeys });
      onClose();
    },
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'password' || field === 'name') setError(field, { message }, { shouldFocus: true });
    },
  });
  const wait = useRetryWait(add.error);
  const field = add.error && authErrorMessage(add.error).field;
  return (
    <form
      onSubmit={(event) => void handleSubmit((typed) => add.mutateAsync(typed).catch(() => undefined))(event)}
      noValidate
      aria-label="A new passkey"
      className="grid grid-cols-1 gap-4 rounded-control bg-sunken p-4"
    >
      <HiddenUsername email={email} />
      <TextField
        label="Name"
        hint="So that you know it again, such as the name of the device."
        autoComplete="off"
        required
        error={formState.errors.name?.message}
        {...register('name')}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      {add.error instanceof PasskeyNotUsed ? (
        <Notice tone="note">{passkeyMessage(add.error)}</Notice>
      ) : (
        add.error && field !== 'password' && field !== 'name' && <AuthProblem error={add.error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" variant="primary" busy={add.isPending} waiting={wait > 0}>
          Add the passkey
        </Button>
        <Button size="small" variant="quiet" disabled={add.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
