import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { TextField } from '../../../../shared/ui/text-field';
import { ownPasswordSchema, passkeyNameSchema } from '../api/field-schemas';
import { addPasskey, renamePasskey } from '../api/passkey-api';
import { OwnPasswordField } from '../ui/fields';
import { InlineForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { describeBrowser } from './describe-session';

const newPasskeySchema = z.object({ name: passkeyNameSchema, password: ownPasswordSchema });

/** Form to add a passkey, stored on this device or on another device that the browser can reach. */
export function NewPasskeyForm({ email, onClose }: { email: string | null; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useAccountForm({
    schema: newPasskeySchema,
    defaultValues: { name: describeBrowser(navigator.userAgent), password: '' },
    focus: 'password',
    mutationFn: addPasskey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.passkeys });
      onClose();
    },
  });
  return (
    <InlineForm form={form} label="New passkey" action="Add passkey" onCancel={onClose}>
      <TextField
        label="Name"
        hint="For example the name of the device."
        autoComplete="off"
        {...form.field('name')}
      />
      <OwnPasswordField email={email} {...form.field('password')} />
    </InlineForm>
  );
}

const nameSchema = z.object({ name: passkeyNameSchema });

interface PasskeyNameFormProps {
  id: string;
  name: string;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

export function PasskeyNameForm({ id, name, onSaved, onCancel }: PasskeyNameFormProps) {
  const form = useAccountForm({
    schema: nameSchema,
    defaultValues: { name },
    mutationFn: (typed) => renamePasskey({ id, name: typed.name }),
    onSuccess: onSaved,
  });
  const { setFocus } = form;
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus]);
  return (
    <InlineForm form={form} label={`Rename ${name}`} action="Save" onCancel={onCancel}>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
    </InlineForm>
  );
}
