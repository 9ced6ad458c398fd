import { z } from 'zod';
import type { ButtonVariant } from '../../../../shared/ui/button';
import { ownPasswordSchema } from '../api/field-schemas';
import { InlineForm, OwnPasswordField } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ password: ownPasswordSchema });

interface AskPasswordFormProps<Result> {
  email: string | null;
  /** The name of the form, for screen readers. */
  label: string;
  action: string;
  variant?: ButtonVariant;
  className?: string;
  run: (password: string) => Promise<Result>;
  onDone: (result: Result) => unknown;
  onCancel: () => void;
}

/** Asks for the password before a change. */
export function AskPasswordForm<Result>({ email, run, onDone, ...props }: AskPasswordFormProps<Result>) {
  const form = useAccountForm({
    schema,
    defaultValues: { password: '' },
    focus: 'password',
    mutationFn: ({ password }) => run(password),
    onSuccess: onDone,
  });
  return (
    <InlineForm of={form} {...props}>
      <OwnPasswordField email={email} {...form.field('password')} />
    </InlineForm>
  );
}
