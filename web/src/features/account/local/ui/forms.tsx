import type { ReactNode } from 'react';
import clsx from 'clsx';
import { z } from 'zod';
import { Button, type ButtonVariant } from '../../../../shared/ui/button';
import { ownPasswordSchema } from '../api/field-schemas';
import { OwnPasswordField } from './fields';
import { useAccountForm, type AccountForm } from './use-account-form';

interface FormProps {
  form: AccountForm;
  action: string;
  variant?: ButtonVariant;
  children: ReactNode;
}

/** Layout of a form that is a dialog or page of its own, such as sign-in. */
export function StepForm({ form, action, variant = 'primary', children }: FormProps) {
  return (
    <form {...form.formProps} className="mt-8 grid gap-5">
      {children}
      {form.problem}
      <Button {...form.submitProps} variant={variant} className="w-full">
        {action}
      </Button>
    </form>
  );
}

interface InlineFormProps extends FormProps {
  label: string;
  onCancel: () => void;
  className?: string;
}

/** Layout of a form that opens inside a section of the profile. */
export function InlineForm(props: InlineFormProps) {
  const { form, label, action, variant = 'primary', onCancel, className, children } = props;
  return (
    <form
      {...form.formProps}
      aria-label={label}
      className={clsx('grid gap-4 rounded-control bg-sunken p-4', className)}
    >
      {children}
      {form.problem}
      <div className="flex flex-wrap gap-2">
        <Button {...form.submitProps} size="small" variant={variant}>
          {action}
        </Button>
        <Button size="small" variant="quiet" disabled={form.submitProps.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const passwordSchema = z.object({ password: ownPasswordSchema });

interface PasswordPromptProps<Result> extends Omit<InlineFormProps, 'form' | 'children'> {
  email: string | null;
  run: (password: string) => Promise<Result>;
  onDone: (result: Result) => unknown;
}

export function PasswordPrompt<Result>({ email, run, onDone, ...props }: PasswordPromptProps<Result>) {
  const form = useAccountForm({
    schema: passwordSchema,
    defaultValues: { password: '' },
    focus: 'password',
    mutationFn: ({ password }) => run(password),
    onSuccess: onDone,
  });
  return (
    <InlineForm form={form} {...props}>
      <OwnPasswordField email={email} {...form.field('password')} />
    </InlineForm>
  );
}
