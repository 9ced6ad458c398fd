import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { TextField } from '../../../../shared/ui/text-field';
import { ownPasswordSchema, passkeyNameSchema } from '../api/field-schemas';
import { addPasskey } from '../api/passkey-api';
import { InlineForm, OwnPasswordField } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { describeBrowser } from './describe-session';

const schema = z.object({ name: passkeyNameSchema, password: ownPasswordSchema });

/** Adds a passkey of this device, or of one that the browser reaches. */
export function NewPasskeyForm({ email, onClose }: { email: string | null; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useAccountForm({
    schema,
    defaultValues: { name: describeBrowser(navigator.userAgent), password: '' },
    focus: 'password',
    mutationFn: addPasskey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.passkeys });
      onClose();
    },
  });
  return (
    <InlineForm of={form} label="A new passkey" action="Add the passkey" onCancel={onClose}>
      <TextField
        label="Name"
        hint="So that you know it again, such as the name of the device."
        autoComplete="off"
        {...form.field('name')}
      />
      <OwnPasswordField email={email} {...form.field('password')} />
    </InlineForm>
  );
}
