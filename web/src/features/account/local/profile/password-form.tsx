import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useQueryClient } from '@tanstack/react-query';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { PasswordField } from '../../../../shared/ui/password-field';
import { Switch } from '../../../../shared/ui/switch';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { AuthError } from '../api/auth-call';
import { newPasswordSchema } from '../api/field-schemas';
import { changePassword, endOtherSessions } from '../api/profile-api';
import { authErrorMessage } from '../api/auth-error-message';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { useAccountMutation } from './use-account-mutation';
import { HiddenUsername } from './hidden-username';

const schema = z
  .object({
    currentPassword: z.string().min(1, 'Enter your current password.'),
    newPassword: newPasswordSchema,
  })
  .refine(({ currentPassword, newPassword }) => currentPassword !== newPassword, {
    path: ['newPassword'],
    message: 'This is your password already. Choose another one.',
  });
type Passwords = z.infer<typeof schema>;

type Outcome = 'changed' | 'others-ended' | 'others-stayed';

const outcomes: Record<Outcome, string> = {
  changed: 'Other browsers stay signed in.',
  'others-ended': 'Every other browser is signed out.',
  'others-stayed':
    'Other browsers could not be signed out just now. End their sessions under “Sessions” in a moment.',
};

export function PasswordForm({ user }: { user: SignedInUser }) {
  const queries = useQueryClient();
  const [endOthers, setEndOthers] = useState(true);
  const { register, handleSubmit, setError, reset, formState } = useForm<Passwords>({
    resolver: zodResolver(schema),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const change = useAccountMutation<Outcome, Passwords>({
    mutationFn: async ({ currentPassword, newPassword }) => {
      await changePassword(currentPassword, newPassword);
      if (!endOthers) return 'changed';
      // better-auth's own option would also replace the session of this browser's other tabs.
      return endOtherSessions().then(
        () => 'others-ended' as const,
        () => 'others-stayed' as const,
      );
    },
    onSuccess: () => {
      reset();
      void queries.invalidateQueries({ queryKey: queryKeys.sessions });
    },
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'password') setError(fieldOf(error), { message }, { shouldFocus: true });
    },
  });
  const wait = useRetryWait(change.error);
  const problem = change.error && authErrorMessage(change.error);
  const { errors } = formState;
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit((passwords) => change.mutateAsync(passwords).catch(() => undefined))(event)
      }
      noValidate
      aria-label="Password"
      className="grid grid-cols-1 gap-5"
    >
      <HiddenUsername email={user.email} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        error={errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        hint="At least 8 characters. A few words are easy to remember and hard to guess."
        error={errors.newPassword?.message}
        {...register('newPassword')}
      />
      <Switch
        label="Sign out other browsers"
        hint="For when somebody else may know the old one."
        checked={endOthers}
        onChange={setEndOthers}
      />
      {problem && problem.field !== 'password' && <AuthProblem error={change.error} />}
      {change.isSuccess && !formState.isDirty && (
        <Notice
          tone={change.data === 'others-stayed' ? 'warning' : 'success'}
          title="Your password is changed"
        >
          {outcomes[change.data]}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        busy={change.isPending}
        waiting={wait > 0}
        className="justify-self-start"
      >
        Change the password
      </Button>
    </form>
  );
}

/** Which of the two passwords the server rejected. */
const fieldOf = (error: Error): keyof Passwords =>
  error instanceof AuthError && error.code === 'INVALID_PASSWORD' ? 'currentPassword' : 'newPassword';
