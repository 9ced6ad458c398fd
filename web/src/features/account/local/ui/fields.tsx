import { PasswordField } from '../../../../shared/ui/password-field';
import { TextField } from '../../../../shared/ui/text-field';

type TextFieldProps = Omit<Parameters<typeof TextField>[0], 'label'> & { label?: string };
type PasswordFieldProps = Omit<Parameters<typeof PasswordField>[0], 'label'> & { label?: string };

export const NEW_PASSWORD_HINT = 'At least 8 characters. A few words are easy to remember and hard to guess.';

export function EmailField(props: TextFieldProps) {
  return (
    <TextField
      label="Email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

export function AppCodeField(props: TextFieldProps) {
  return (
    <TextField
      label="Code"
      hint="The 6-digit code from your authenticator app."
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
      {...props}
    />
  );
}

export function NewPasswordField(props: PasswordFieldProps) {
  return (
    <PasswordField label="New password" autoComplete="new-password" hint={NEW_PASSWORD_HINT} {...props} />
  );
}

export function OwnPasswordField({ email, ...props }: PasswordFieldProps & { email: string | null }) {
  return (
    <>
      {/* A hidden field, so that password managers know which account the password belongs to. */}
      <input
        type="text"
        autoComplete="username"
        value={email ?? ''}
        readOnly
        hidden
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField label="Your password" autoComplete="current-password" {...props} />
    </>
  );
}
