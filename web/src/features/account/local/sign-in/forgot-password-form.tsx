import { z } from 'zod';
import { Notice } from '../../../../shared/ui/notice';
import { TextField } from '../../../../shared/ui/text-field';
import { emailSchema } from '../api/field-schemas';
import { requestReset } from '../api/mail-api';
import { StepForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { LinkButton } from './link-button';

const schema = z.object({ email: emailSchema });

interface ForgotPasswordFormProps {
  /** The initial value. */
  email: string;
  onBack?: () => void;
}

/** Requests a link to set a new password. Does not reveal whether the address has an account. */
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
        of={form}
        action={isSuccess ? 'Send it again' : 'Send the link'}
        variant={isSuccess ? 'plain' : 'primary'}
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('email')}
        />
        {isSuccess && (
          <Notice tone="success" title="Look into your mail">
            If {variables.email} has an account, a link is on its way. It is good for an hour and works once.
            Nothing there after a few minutes? Look among unwanted mail.
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
