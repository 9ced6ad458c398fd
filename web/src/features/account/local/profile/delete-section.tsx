import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { PasswordField } from '../../../../shared/ui/password-field';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { deleteAccount } from '../api/profile-api';
import { authErrorMessage } from '../api/auth-error-message';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { useAccountMutation } from './use-account-mutation';
import { HiddenUsername } from './hidden-username';

const schema = z.object({ password: z.string().min(1, 'Enter your password to go on.') });

const deletedData = [
  'everything you made: texts, images, reviews and scores, those published in the community included',
  'the files you sent, and your chats with PDFs',
  'work that is still running, and the credits of this month',
  'your profile, your picture and your sign-in, in every browser',
];

interface DeleteSectionProps {
  user: SignedInUser;
  onDeleted: () => void;
}

export function DeleteSection({ user, onDeleted }: DeleteSectionProps) {
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { password: '' },
  });
  const deletion = useAccountMutation({
    mutationFn: deleteAccount,
    onSuccess: onDeleted,
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'password') setError('password', { message }, { shouldFocus: true });
    },
  });
  const wait = useRetryWait(deletion.error);
  const problem = deletion.error && authErrorMessage(deletion.error);
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit(({ password }) => deletion.mutateAsync(password).catch(() => undefined))(event)
      }
      noValidate
      aria-label="Delete the account"
      className="grid grid-cols-1 gap-5"
    >
      <HiddenUsername email={user.email} />
      <div>
        <p>Deleting your account removes for good:</p>
        <ul className="mt-3 grid list-disc gap-2 pl-5 text-[0.9375rem] text-quiet marker:text-edge">
          {deletedData.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p className="mt-4 text-[0.9375rem]">Nobody can bring it back, not even who runs this Pressroom.</p>
      </div>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      {problem && problem.field !== 'password' && <AuthProblem error={deletion.error} />}
      <Button
        type="submit"
        variant="danger"
        // Stays busy after success, until the page closes.
        busy={deletion.isPending || deletion.isSuccess}
        waiting={wait > 0}
        className="justify-self-start"
      >
        Delete my account
      </Button>
    </form>
  );
}
