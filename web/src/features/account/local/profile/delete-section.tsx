import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { ownPasswordSchema } from '../api/field-schemas';
import { deleteAccount } from '../api/profile-api';
import { OwnPasswordField } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ password: ownPasswordSchema });

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
  const { call, field, form, button, problem } = useAccountForm({
    schema,
    defaultValues: { password: '' },
    mutationFn: ({ password }) => deleteAccount(password),
    onSuccess: onDeleted,
  });
  return (
    <form {...form} aria-label="Delete the account" className="grid grid-cols-1 gap-5">
      <div>
        <p>Deleting your account removes for good:</p>
        <ul className="mt-3 grid list-disc gap-2 pl-5 text-[0.9375rem] text-quiet marker:text-edge">
          {deletedData.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p className="mt-4 text-[0.9375rem]">Nobody can bring it back, not even who runs this Pressroom.</p>
      </div>
      <OwnPasswordField email={user.email} {...field('password')} />
      {problem}
      <Button
        {...button}
        variant="danger"
        // Stays busy after success, until the page closes.
        busy={button.busy || call.isSuccess}
        className="justify-self-start"
      >
        Delete my account
      </Button>
    </form>
  );
}
