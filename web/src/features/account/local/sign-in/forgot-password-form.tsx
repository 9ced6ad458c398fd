import { z } from 'zod';
import { Notice } from '../../../../shared/ui/notice';
import { emailSchema } from '../api/field-schemas';
import { requestReset } from '../api/account-api';
import { EmailField } from '../ui/fields';
import { StepForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { LinkButton } from './link-button';

const schema = z.object({ email: emailSchema });

interface ForgotPasswordFormProps {
  email: string;
  onBack?: () => void;
}

/** Form to request a password reset link. Doesn't reveal whether the address has an account. */
export function ForgotPasswordForm({ email, onBack }: ForgotPasswordFormProps) {
  const form = useAccountForm({
    schema,
    defaultValues: { email },
    mutationFn: (typed) => requestReset(typed.email),
  });
  const { isSuccess, variables } = form.call;
  return (
    <>
      <StepForm
        form={form}
        action={isSuccess ? 'Resend link' : 'Send link'}
        variant={isSuccess ? 'plain' : 'primary'}
      >
        <EmailField {...form.field('email')} />
        {isSuccess && (
          <Notice tone="success" title="Check your email">
            If {variables.email} has an account, we sent a link. It works once, within an hour. If it does not
            arrive in a few minutes, check your spam folder.
          </Notice>
        )}
      </StepForm>
      {onBack && (
        <p className="mt-6 text-sm text-quiet">
          <LinkButton onClick={onBack}>Back to sign-in</LinkButton>
        </p>
      )}
    </>
  );
}
