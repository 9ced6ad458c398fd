import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { nameSchema } from '../api/field-schemas';
import { rename } from '../api/profile-api';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ name: nameSchema });

export function NameForm({ user }: { user: SignedInUser }) {
  const queries = useQueryClient();
  const { call, field, form, button, problem, formState } = useAccountForm({
    schema,
    // Takes over a change from another tab, unless the user is editing here.
    values: { name: user.fullName },
    resetOptions: { keepDirtyValues: true },
    mutationFn: ({ name }) => rename(name),
    onSuccess: (_, { name: fullName }) => {
      queries.setQueryData<SignedInUser>(queryKeys.session, (session) => session && { ...session, fullName });
      void queries.invalidateQueries({ queryKey: queryKeys.account });
    },
  });
  return (
    <form {...form} className="grid gap-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField label="Name" autoComplete="name" {...field('name')} />
        </div>
        <Button {...button} className="mt-[1.625rem]" disabled={!formState.isDirty}>
          Save
        </Button>
      </div>
      {problem}
      {call.isSuccess && !formState.isDirty && (
        <p role="status" className="text-sm text-success">
          Saved. You are {user.fullName} everywhere now.
        </p>
      )}
    </form>
  );
}
