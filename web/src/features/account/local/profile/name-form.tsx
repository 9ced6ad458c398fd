import { useForm } from 'react-hook-form';
import { useQueryClient } from '@tanstack/react-query';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { nameSchema } from '../api/field-schemas';
import { rename } from '../api/profile-api';
import { authErrorMessage } from '../api/auth-error-message';
import { useAccountMutation } from './use-account-mutation';

const schema = z.object({ name: nameSchema });

export function NameForm({ user }: { user: SignedInUser }) {
  const queries = useQueryClient();
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    // Takes over a change from another tab, unless the user is editing here.
    values: { name: user.fullName },
    resetOptions: { keepDirtyValues: true },
  });
  const change = useAccountMutation({
    mutationFn: rename,
    onSuccess: (_, fullName) => {
      queries.setQueryData<SignedInUser>(queryKeys.session, (session) => session && { ...session, fullName });
      void queries.invalidateQueries({ queryKey: queryKeys.account });
    },
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'name') setError('name', { message }, { shouldFocus: true });
    },
  });
  const problem = change.error && authErrorMessage(change.error);
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit(({ name }) => change.mutateAsync(name).catch(() => undefined))(event)
      }
      noValidate
      className="grid gap-3"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Name"
            autoComplete="name"
            required
            error={formState.errors.name?.message}
            {...register('name')}
          />
        </div>
        <Button type="submit" className="mt-[1.625rem]" busy={change.isPending} disabled={!formState.isDirty}>
          Save
        </Button>
      </div>
      {problem && problem.field !== 'name' && <Notice tone="danger">{problem.message}</Notice>}
      {change.isSuccess && !formState.isDirty && (
        <p role="status" className="text-sm text-success">
          Saved. You are {user.fullName} everywhere now.
        </p>
      )}
    </form>
  );
}
