import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { TextField } from '../../../../shared/ui/text-field';
import { emailSchema, ownPasswordSchema } from '../api/field-schemas';
import { changeEmail } from '../api/profile-api';
import { InlineForm, OwnPasswordField } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';

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
        title="Look into your mail"
        action={
          <Button size="small" onClick={onClose}>
            Done
          </Button>
        }
      >
        {confirmed
          ? `Open the link that we sent to ${email}. A second one then goes to ${call.variables.newEmail}; when it is opened, the address is changed.`
          : `Open the link that we sent to ${call.variables.newEmail}; the address is then changed.`}
      </Notice>
    );
  return (
    <InlineForm of={form} label="Another address" action="Send the link" onCancel={onClose}>
      <TextField
        label="New email address"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={confirmed ? 'We ask your present address first, then the new one.' : undefined}
        {...form.field('newEmail')}
      />
      <OwnPasswordField email={email} {...form.field('password')} />
    </InlineForm>
  );
}
