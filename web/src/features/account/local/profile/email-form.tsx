import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { emailSchema, ownPasswordSchema } from '../api/field-schemas';
import { changeEmail } from '../api/account-api';
import { EmailField, OwnPasswordField } from '../ui/fields';
import { InlineForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';

interface EmailFormProps {
  email: string;
  /** True if the current address is confirmed. The server then first sends a link to the current address. */
  confirmed: boolean;
  onClose: () => void;
}

/** Form to change the email address. Doesn't reveal whether the new address already has an account. */
export function EmailForm({ email, confirmed, onClose }: EmailFormProps) {
  const schema = z.object({
    newEmail: emailSchema.refine(
      (typed) => typed.toLowerCase() !== email.toLowerCase(),
      'This is already your address. Enter a new one.',
    ),
    password: ownPasswordSchema,
  });
  const form = useAccountForm({
    schema,
    defaultValues: { newEmail: '', password: '' },
    focus: 'newEmail',
    mutationFn: changeEmail,
  });
  const { call } = form;
  if (call.isSuccess)
    return (
      <Notice
        tone="success"
        title="Check your email"
        action={
          <Button size="small" onClick={onClose}>
            Done
          </Button>
        }
      >
        {confirmed
          ? `Open the link that we sent to ${email}. We then send a second link to ${call.variables.newEmail}. Open it to change your address.`
          : `Open the link that we sent to ${call.variables.newEmail} to change your address.`}
      </Notice>
    );
  return (
    <InlineForm form={form} label="Change email address" action="Send link" onCancel={onClose}>
      <EmailField
        label="New email address"
        autoComplete="email"
        hint={confirmed ? 'We send a link to your current address first, then to the new one.' : undefined}
        {...form.field('newEmail')}
      />
      <OwnPasswordField email={email} {...form.field('password')} />
    </InlineForm>
  );
}
