import { useEffect, useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button } from '../../components/button';
import { Notice } from '../../components/notice';
import { PasswordField } from '../../components/password-field';
import { TextField } from '../../components/text-field';
import type { SignedInUser } from '../accounts';
import { signIn, signUp } from './auth-api';
import { refusalText } from './refusal-text';

export type Mode = 'sign-in' | 'sign-up';

const email = z.email('Enter an email address, such as ada@example.com.');
const schemas = {
  'sign-in': z.object({ name: z.string(), email, password: z.string().min(1, 'Enter your password.') }),
  'sign-up': z.object({
    name: z.string().trim().min(1, 'Enter your name.').max(120, 'Use at most 120 characters.'),
    email,
    password: z.string().min(8, 'Use at least 8 characters.').max(128, 'Use at most 128 characters.'),
  }),
};
export type Credentials = z.infer<(typeof schemas)['sign-up']>;

interface CredentialsFormProps {
  mode: Mode;
  initial: Credentials;
  onTyped: (typed: Credentials) => void;
  onSignedIn: (user: SignedInUser) => void;
  footer: ReactNode;
}

export function CredentialsForm({ mode, initial, onTyped, onSignedIn, footer }: CredentialsFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
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
    setProblem(null);
    try {
      onSignedIn(await (mode === 'sign-in' ? signIn(credentials) : signUp(credentials)));
    } catch (error) {
      const { field, message } = refusalText(error);
      if (field === null) setProblem(message);
      else setError(field, { message }, { shouldFocus: true });
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
          autoComplete={mode === 'sign-in' ? 'username' : 'email'}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
          required
          hint={mode === 'sign-up' ? 'At least 8 characters.' : undefined}
          error={errors.password?.message}
          {...register('password')}
        />
        {problem !== null && <Notice tone="danger">{problem}</Notice>}
        <Button type="submit" variant="primary" busy={isSubmitting} className="w-full">
          {mode === 'sign-in' ? 'Sign in' : 'Create account'}
        </Button>
      </form>
      <p className="mt-6 text-sm text-quiet">{footer}</p>
    </>
  );
}
