import { useEffect } from 'react';
import { z } from 'zod';
import { TextField } from '../../../../shared/ui/text-field';
import { passkeyNameSchema } from '../api/field-schemas';
import { renamePasskey } from '../api/passkey-api';
import { InlineForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ name: passkeyNameSchema });

interface PasskeyNameFormProps {
  id: string;
  name: string;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

export function PasskeyNameForm({ id, name, onSaved, onCancel }: PasskeyNameFormProps) {
  const form = useAccountForm({
    schema,
    defaultValues: { name },
    mutationFn: (typed) => renamePasskey({ id, name: typed.name }),
    onSuccess: onSaved,
  });
  const { setFocus } = form;
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus]);
  return (
    <InlineForm of={form} label={`Rename ${name}`} action="Save" onCancel={onCancel}>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
    </InlineForm>
  );
}
