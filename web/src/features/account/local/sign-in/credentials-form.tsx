import { useLayoutEffect, type ReactNode } from 'react';
import { z } from 'zod';
import { useConfig } from '../../../../shared/account/read-config';
import { PasswordField } from '../../../../shared/ui/password-field';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { signIn, signUp } from '../api/auth-api';
import { emailSchema, nameSchema, newPasswordSchema } from '../api/field-schemas';
import { EmailField, NEW_PASSWORD_HINT } from '../ui/fields';
import { StepForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { PasskeyButton } from './passkey-button';

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
  onConfirmationNeeded: () => void;
  onSecondFactor: () => void;
  /** Undefined if the server doesn't send mail, so that passwords can't be reset. */
  onForgotPassword: () => void;
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
  const form = useAccountForm<Credentials, Awaited<ReturnType<typeof signIn>>>({
    schema: schemas[mode],
    defaultValues: initial,
    mutationFn: mode === 'sign-in' ? signIn : signUp,
    onSuccess: (user) => {
      if (user === null) onConfirmationNeeded();
      else if (user === 'second-factor') onSecondFactor();
      else onSignedIn(user);
    },
  });
  const { field, subscribe } = form;
  // A layout effect, so that the subscription exists before the user types the first character.
  useLayoutEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => onTyped(values) }),
    [subscribe, onTyped],
  );

  return (
    <>
      <StepForm form={form} action={mode === 'sign-in' ? 'Sign in' : 'Create account'}>
        {mode === 'sign-up' && <TextField label="Name" autoComplete="name" {...field('name')} />}
        <EmailField autoComplete={mode === 'sign-in' ? 'username webauthn' : 'email'} {...field('email')} />
        <div className="grid gap-1.5">
          <PasswordField
            label="Password"
            autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
            hint={mode === 'sign-up' ? NEW_PASSWORD_HINT : undefined}
            {...field('password')}
          />
          {mode === 'sign-in' && (
            <button
              type="button"
              onClick={onForgotPassword}
              className="justify-self-start rounded-sm py-1 text-sm text-quiet underline underline-offset-4 touch:min-h-11 hover:text-ink"
            >
              Forgot your password?
            </button>
          )}
        </div>
      </StepForm>
      {mode === 'sign-in' && passkeys && <PasskeyButton onSignedIn={onSignedIn} />}
      <p className="mt-6 text-sm text-quiet">{footer}</p>
    </>
  );
}
