import { useEffect, useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { useConfig } from '../../../../shared/api/read-config';
import { Button } from '../../../../shared/ui/button';
import { PasswordField } from '../../../../shared/ui/password-field';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { signIn, signUp } from '../api/auth-api';
import { AuthError } from '../api/auth-call';
import { emailSchema, nameSchema, newPasswordSchema } from '../api/field-schemas';
import { authErrorMessage } from '../api/auth-error-message';
import { PasskeyButton } from './passkey-button';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';

export type Mode = 'sign-in' | 'sign-up';

const schemas = {
  'sign-in': z.object({
    name: z.string(),
    email: emailSchema,
    password: z.string().min(1, 'Enter your password.'),
  }),
  'sign-up': z.object({ name: nameSchema, email: emailSchema, password: newPasswordSchema }),
};
export type Credentials = z.infer<(typeof schemas)['sign-up']>;

interface CredentialsFormProps {
  mode: Mode;
  initial: Credentials;
  onTyped: (typed: Credentials) => void;
  onSignedIn: (user: SignedInUser) => void;
  /** Called when the email address must be confirmed first; the server has sent a link. */
  onConfirmationNeeded: () => void;
  /** Called when the account has an authenticator app: its code follows. */
  onSecondFactor: () => void;
  /** Absent if the server sends no mail. */
  onForgotPassword?: () => void;
  footer: ReactNode;
}

export function CredentialsForm(props: CredentialsFormProps) {
  const {
    mode,
    initial,
    onTyped,
    onSignedIn,
    onConfirmationNeeded,
    onSecondFactor,
    onForgotPassword,
    footer,
  } = props;
  const passkeys = useConfig().data?.accounts.passkeys ?? false;
  const [failure, setFailure] = useState<unknown>(null);
  const wait = useRetryWait(failure);
  const { register, handleSubmit, setError, subscribe, formState } = useForm<Credentials>({
    resolver: zodResolver(schemas[mode]),
    defaultValues: initial,
  });
  const { errors, isSubmitting } = formState;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => onTyped(values) }),
    [subscribe, onTyped],
  );

  const submit = handleSubmit(async (credentials) => {
    setFailure(null);
    try {
      const user = await (mode === 'sign-in' ? signIn(credentials) : signUp(credentials));
      if (user === null) onConfirmationNeeded();
      else if (user === 'second-factor') onSecondFactor();
      else onSignedIn(user);
    } catch (error) {
      if (error instanceof AuthError && error.code === 'EMAIL_NOT_VERIFIED') return onConfirmationNeeded();
      const { field, message } = authErrorMessage(error);
      if (field === 'name' || field === 'email' || field === 'password')
        setError(field, { message }, { shouldFocus: true });
      else setFailure(error);
    }
  });

  return (
    <>
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-8 grid grid-cols-1 gap-5">
        {mode === 'sign-up' && (
          <TextField
            label="Name"
            autoComplete="name"
            required
            error={errors.name?.message}
            {...register('name')}
          />
        )}
        <TextField
          label="Email"
          type="email"
          autoComplete={mode === 'sign-in' ? 'username webauthn' : 'email'}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.email?.message}
          {...register('email')}
        />
        <div className="grid gap-1.5">
          <PasswordField
            label="Password"
            autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
            required
            hint={
              mode === 'sign-up'
                ? 'At least 8 characters. A few words are easy to remember and hard to guess.'
                : undefined
            }
            error={errors.password?.message}
            {...register('password')}
          />
          {mode === 'sign-in' && onForgotPassword && (
            <button
              type="button"
              onClick={onForgotPassword}
              className="justify-self-start rounded-sm py-1 text-sm text-quiet underline underline-offset-4 hover:text-ink"
            >
              Forgot your password?
            </button>
          )}
        </div>
        {failure !== null && <AuthProblem error={failure} />}
        <Button type="submit" variant="primary" busy={isSubmitting} waiting={wait > 0} className="w-full">
          {mode === 'sign-in' ? 'Sign in' : 'Create account'}
        </Button>
      </form>
      {mode === 'sign-in' && passkeys && <PasskeyButton onSignedIn={onSignedIn} />}
      <p className="mt-6 text-sm text-quiet">{footer}</p>
    </>
  );
}
