import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { paths } from '../../../../shared/paths';
import { buttonClass } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { newPasswordSchema } from '../api/field-schemas';
import { resetPassword } from '../api/account-api';
import { NewPasswordField, NEW_PASSWORD_HINT } from '../ui/fields';
import { StepForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { ForgotPasswordForm } from './forgot-password-form';
import { useStepHeading } from './use-step-heading';

const schema = z.object({ newPassword: newPasswordSchema });
type State = 'open' | 'expired' | 'done';

/** Form to set a new password with the token of an email link. If the link has expired, offers to send a new link. */
export default function ResetPasswordForm() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [state, setState] = useState<State>(token === '' ? 'expired' : 'open');
  const heading = useStepHeading(state);
  const form = useAccountForm({
    schema,
    defaultValues: { newPassword: '' },
    mutationFn: ({ newPassword }) => resetPassword(token, newPassword),
    onSuccess: (outcome) => {
      setState(outcome);
      if (outcome !== 'done') return;
      // The server ended all of the user's sessions, maybe also this browser's, so read the session again.
      void queries.invalidateQueries({ queryKey: queryKeys.session });
      void navigate(paths.resetPassword, { replace: true });
    },
  });
  return (
    <section className="panel w-full max-w-md animate-rise p-6 sm:p-10">
      <title>Reset your password · Pressroom</title>
      <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        {state === 'done' ? 'Password changed' : 'Reset your password'}
      </h1>
      {state === 'open' && (
        <StepForm form={form} action="Set password">
          <NewPasswordField
            hint={`${NEW_PASSWORD_HINT} All browsers will be signed out.`}
            {...form.field('newPassword')}
          />
        </StepForm>
      )}
      {state === 'expired' && (
        <>
          <div className="mt-6">
            <Notice tone="warning" title="This link has expired">
              Links work once, within an hour. Request a new one. Your password has not changed.
            </Notice>
          </div>
          <ForgotPasswordForm email="" />
        </>
      )}
      {state === 'done' && (
        <>
          <p role="status" className="mt-4 text-quiet">
            All browsers are signed out. Sign in with your new password to continue.
          </p>
          <Link to={paths.dashboard} className={`${buttonClass('primary')} mt-8 w-full`}>
            Sign in
          </Link>
        </>
      )}
    </section>
  );
}
