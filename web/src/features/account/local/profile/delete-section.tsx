import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { ownPasswordSchema } from '../api/field-schemas';
import { deleteAccount } from '../api/account-api';
import { OwnPasswordField } from '../ui/fields';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ password: ownPasswordSchema });

const deletedData = [
  'all your texts, images, reviews and scores, including those published in the community',
  'the files you uploaded, your PDF chats and notebooks',
  'your voices, API keys, webhooks and connected apps',
  'running jobs and this month’s credits',
  'your profile, your picture and your sign-in in every browser',
];

interface DeleteSectionProps {
  user: SignedInUser;
  onDeleted: () => void;
}

export function DeleteSection({ user, onDeleted }: DeleteSectionProps) {
  const { call, field, formProps, submitProps, problem } = useAccountForm({
    schema,
    defaultValues: { password: '' },
    mutationFn: ({ password }) => deleteAccount(password),
    onSuccess: onDeleted,
  });
  return (
    <form {...formProps} aria-label="Delete the account" className="grid gap-5">
      <div>
        <p>Deleting your account permanently removes:</p>
        <ul className="mt-3 grid list-disc gap-2 pl-5 text-[0.9375rem] text-quiet marker:text-edge">
          {deletedData.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p className="mt-4 text-[0.9375rem]">
          This cannot be undone, not even by the operator of this Pressroom.
        </p>
      </div>
      <OwnPasswordField email={user.email} {...field('password')} />
      {problem}
      <Button
        {...submitProps}
        variant="danger"
        // Stay busy after success, until the page closes, so that the button can't be pressed again.
        busy={submitProps.busy || call.isSuccess}
        className="justify-self-start"
      >
        Delete my account
      </Button>
    </form>
  );
}
