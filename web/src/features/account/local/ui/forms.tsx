import type { ReactNode } from 'react';
import clsx from 'clsx';
import { Button, type ButtonVariant } from '../../../../shared/ui/button';
import { PasswordField } from '../../../../shared/ui/password-field';
import { HiddenUsername } from './hidden-username';
import type { AccountForm } from './use-account-form';

interface FormProps {
  of: AccountForm;
  /** What the button says. */
  action: string;
  variant?: ButtonVariant;
  children: ReactNode;
}

/** A form that is the whole step, as in signing in. */
export function StepForm({
  of: { form, button, problem },
  action,
  variant = 'primary',
  children,
}: FormProps) {
  return (
    <form {...form} className="mt-8 grid grid-cols-1 gap-5">
      {children}
      {problem}
      <Button {...button} variant={variant} className="w-full">
        {action}
      </Button>
    </form>
  );
}

interface InlineFormProps extends FormProps {
  /** The name of the form, for screen readers. */
  label: string;
  onCancel: () => void;
  className?: string;
}

/** A form that opens within a page of the account. */
export function InlineForm(props: InlineFormProps) {
  const { of, label, action, variant = 'primary', onCancel, className, children } = props;
  return (
    <form
      {...of.form}
      aria-label={label}
      className={clsx('grid grid-cols-1 gap-4 rounded-control bg-sunken p-4', className)}
    >
      {children}
      {of.problem}
      <div className="flex flex-wrap gap-2">
        <Button {...of.button} size="small" variant={variant}>
          {action}
        </Button>
        <Button size="small" variant="quiet" disabled={of.button.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

type PasswordFieldProps = Omit<Parameters<typeof PasswordField>[0], 'label'>;

/** The password of the signed-in user, before a change. */
export function OwnPasswordField({ email, ...field }: PasswordFieldProps & { email: string | null }) {
  return (
    <>
      <HiddenUsername email={email} />
      <PasswordField label="Your password" autoComplete="current-password" {...field} />
    </>
  );
}
