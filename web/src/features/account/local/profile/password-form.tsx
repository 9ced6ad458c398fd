import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { Switch } from '../../../../shared/ui/switch';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { newPasswordSchema } from '../api/field-schemas';
import { changePassword, endOtherSessions } from '../api/account-api';
import { NewPasswordField, OwnPasswordField } from '../ui/fields';
import { useAccountForm } from '../ui/use-account-form';

const schema = z
  .object({
    currentPassword: z.string().min(1, 'Enter your current password.'),
    newPassword: newPasswordSchema,
  })
  .refine(({ currentPassword, newPassword }) => currentPassword !== newPassword, {
    path: ['newPassword'],
    message: 'This is already your password. Choose another one.',
  });

type Outcome = 'changed' | 'others-ended' | 'others-stayed';

const outcomes: Record<Outcome, string> = {
  changed: 'Other browsers stay signed in.',
  'others-ended': 'All other browsers are signed out.',
  'others-stayed': 'Other browsers could not be signed out. End their sessions under “Sessions”.',
};

export function PasswordForm({ user }: { user: SignedInUser }) {
  const queries = useQueryClient();
  const [endOthers, setEndOthers] = useState(true);
  const { call, field, formProps, submitProps, problem, reset, formState } = useAccountForm({
    schema,
    defaultValues: { currentPassword: '', newPassword: '' },
    mutationFn: async ({ currentPassword, newPassword }): Promise<Outcome> => {
      await changePassword(currentPassword, newPassword);
      if (!endOthers) return 'changed';
      // A separate call, since better-auth's own option would also replace this browser's session, which other tabs use.
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
    <form {...formProps} aria-label="Password" className="grid gap-5">
      <OwnPasswordField email={user.email} label="Current password" {...field('currentPassword')} />
      <NewPasswordField {...field('newPassword')} />
      <Switch
        label="Sign out other browsers"
        hint="Recommended if someone else may know your password."
        checked={endOthers}
        onChange={setEndOthers}
      />
      {problem}
      {call.isSuccess && !formState.isDirty && (
        <Notice tone={call.data === 'others-stayed' ? 'warning' : 'success'} title="Password changed">
          {outcomes[call.data]}
        </Notice>
      )}
      <Button {...submitProps} variant="primary" className="justify-self-start">
        Change password
      </Button>
    </form>
  );
}
