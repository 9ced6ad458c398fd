import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button, type ButtonVariant } from '../../../../shared/ui/button';
import { PasswordField } from '../../../../shared/ui/password-field';
import { authErrorMessage } from '../api/auth-error-message';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { HiddenUsername } from './hidden-username';
import { useAccountMutation } from './use-account-mutation';

const schema = z.object({ password: z.string().min(1, 'Enter your password to go on.') });

interface AskPasswordFormProps<Result> {
  email: string | null;
  /** The name of the form, for screen readers. */
  label: string;
  action: string;
  variant?: ButtonVariant;
  run: (password: string) => Promise<Result>;
  onDone: (result: Result) => void;
  onCancel: () => void;
}

/** Asks for the password before a change. */
export function AskPasswordForm<Result>(props: AskPasswordFormProps<Result>) {
  const { email, label, action, variant = 'primary', run, onDone, onCancel } = props;
  const { register, handleSubmit, setError, setFocus, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { password: '' },
  });
  useEffect(() => setFocus('password'), [setFocus]);
  const change = useAccountMutation({
    mutationFn: run,
    onSuccess: onDone,
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'password') setError('password', { message }, { shouldFocus: true });
    },
  });
  const wait = useRetryWait(change.error);
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit(({ password }) => change.mutateAsync(password).catch(() => undefined))(event)
      }
      noValidate
      aria-label={label}
      className="mt-4 grid grid-cols-1 gap-4 rounded-control bg-sunken p-4"
    >
      <HiddenUsername email={email} />
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
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" variant={variant} busy={change.isPending} waiting={wait > 0}>
          {action}
        </Button>
        <Button size="small" variant="quiet" disabled={change.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
