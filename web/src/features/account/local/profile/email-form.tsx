import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { PasswordField } from '../../../../shared/ui/password-field';
import { TextField } from '../../../../shared/ui/text-field';
import { emailSchema } from '../api/field-schemas';
import { changeEmail } from '../api/profile-api';
import { authErrorMessage } from '../api/auth-error-message';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { HiddenUsername } from './hidden-username';
import { useAccountMutation } from './use-account-mutation';

interface EmailFormProps {
  email: string;
  /** Whether the current address is confirmed: the server then mails it first. */
  confirmed: boolean;
  onClose: () => void;
}

/** Requests another address. Does not reveal whether that address has an account. */
export function EmailForm({ email, confirmed, onClose }: EmailFormProps) {
  const schema = z.object({
    newEmail: emailSchema.refine(
      (typed) => typed.toLowerCase() !== email.toLowerCase(),
      'This is your address already. Enter the new one.',
    ),
    password: z.string().min(1, 'Enter your password to go on.'),
  });
  const { register, handleSubmit, setFocus, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { newEmail: '', password: '' },
  });
  useEffect(() => setFocus('newEmail'), [setFocus]);
  const change = useAccountMutation({
    mutationFn: changeEmail,
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'password') setError('password', { message }, { shouldFocus: true });
    },
  });
  const wait = useRetryWait(change.error);
  if (change.isSuccess)
    return (
      <Notice
        tone="success"
        title="Look into your mail"
        action={
          <Button size="small" onClick={onClose}>
            Done
          </Button>
        }
      >
        {confirmed
          ? `Open the link that we sent to ${email}. A second one then goes to ${change.variables.newEmail}; when it is opened, the address is changed.`
          : `Open the link that we sent to ${change.variables.newEmail}; the address is then changed.`}
      </Notice>
    );
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit((typed) => change.mutateAsync(typed).catch(() => undefined))(event)
      }
      noValidate
      aria-label="Another address"
      className="grid gap-4 rounded-control bg-sunken p-4"
    >
      <HiddenUsername email={email} />
      <TextField
        label="New email address"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint={confirmed ? 'We ask your present address first, then the new one.' : undefined}
        error={formState.errors.newEmail?.message}
        {...register('newEmail')}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      {change.isError && authErrorMessage(change.error).field !== 'password' && (
        <AuthProblem error={change.error} />
      )}
      <div className="flex gap-2">
        <Button type="submit" size="small" variant="primary" busy={change.isPending} waiting={wait > 0}>
          Send the link
        </Button>
        <Button size="small" variant="quiet" disabled={change.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
