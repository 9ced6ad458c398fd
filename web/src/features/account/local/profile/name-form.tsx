import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { nameSchema } from '../api/field-schemas';
import { rename } from '../api/account-api';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ name: nameSchema });

export function NameForm({ user }: { user: SignedInUser }) {
  const queries = useQueryClient();
  const { call, field, formProps, submitProps, problem, formState } = useAccountForm({
    schema,
    // The field follows changes from other tabs, unless the user has edited it here.
    values: { name: user.fullName },
    resetOptions: { keepDirtyValues: true },
    mutationFn: ({ name }) => rename(name),
    onSuccess: (_, { name: fullName }) => {
      queries.setQueryData<SignedInUser>(queryKeys.session, (session) => session && { ...session, fullName });
      void queries.invalidateQueries({ queryKey: queryKeys.account });
    },
  });
  return (
    <form {...formProps} className="grid gap-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField label="Name" autoComplete="name" {...field('name')} />
        </div>
        <Button {...submitProps} className="mt-[1.625rem]" disabled={!formState.isDirty}>
          Save
        </Button>
      </div>
      {problem}
      {call.isSuccess && !formState.isDirty && (
        <p role="status" className="text-sm text-success">
          Saved
        </p>
      )}
    </form>
  );
}
