import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { PasswordField } from '../../../../shared/ui/password-field';
import { Switch } from '../../../../shared/ui/switch';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { newPasswordSchema } from '../api/field-schemas';
import { changePassword, endOtherSessions } from '../api/profile-api';
import { HiddenUsername } from '../ui/hidden-username';
import { useAccountForm } from '../ui/use-account-form';

const schema = z
  .object({
    currentPassword: z.string().min(1, 'Enter your current password.'),
    newPassword: newPasswordSchema,
  })
  .refine(({ currentPassword, newPassword }) => currentPassword !== newPassword, {
    path: ['newPassword'],
    message: 'This is your password already. Choose another one.',
  });

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
  const { call, field, form, button, problem, reset, formState } = useAccountForm({
    schema,
    defaultValues: { currentPassword: '', newPassword: '' },
    mutationFn: async ({ currentPassword, newPassword }): Promise<Outcome> => {
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
  });
  return (
    <form {...form} aria-label="Password" className="grid grid-cols-1 gap-5">
      <HiddenUsername email={user.email} />
      <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters. A few words are easy to remember and hard to guess."
        {...field('newPassword')}
      />
      <Switch
        label="Sign out other browsers"
        hint="For when somebody else may know the old one."
        checked={endOthers}
        onChange={setEndOthers}
      />
      {problem}
      {call.isSuccess && !formState.isDirty && (
        <Notice tone={call.data === 'others-stayed' ? 'warning' : 'success'} title="Your password is changed">
          {outcomes[call.data]}
        </Notice>
      )}
      <Button {...button} variant="primary" className="justify-self-start">
        Change the password
      </Button>
    </form>
  );
}
