import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { TextField } from '../../../../shared/ui/text-field';
import { emailSchema } from '../api/field-schemas';
import { LinkButton } from './link-button';
import { requestReset } from '../api/mail-api';
import { authErrorMessage } from '../api/auth-error-message';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';

const schema = z.object({ email: emailSchema });

interface ForgotPasswordFormProps {
  /** The initial value. */
  email: string;
  onBack?: () => void;
}

/** Requests a link to set a new password. Does not reveal whether the address has an account. */
export function ForgotPasswordForm({ email, onBack }: ForgotPasswordFormProps) {
  const [failure, setFailure] = useState<unknown>(null);
  const wait = useRetryWait(failure);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { email },
  });
  const submit = handleSubmit(async (typed) => {
    setFailure(null);
    setSentTo(null);
    try {
      await requestReset(typed.email);
      setSentTo(typed.email);
    } catch (error) {
      const { field, message } = authErrorMessage(error);
      if (field === 'email') setError('email', { message }, { shouldFocus: true });
      else setFailure(error);
    }
  });
  return (
    <>
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-8 grid grid-cols-1 gap-5">
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={formState.errors.email?.message}
          {...register('email')}
        />
        {failure !== null && <AuthProblem error={failure} />}
        {sentTo !== null && (
          <Notice tone="success" title="Look into your mail">
            If {sentTo} has an account, a link is on its way. It is good for an hour and works once. Nothing
            there after a few minutes? Look among unwanted mail.
          </Notice>
        )}
        <Button
          type="submit"
          variant={sentTo === null ? 'primary' : 'plain'}
          busy={formState.isSubmitting}
          waiting={wait > 0}
          className="w-full"
        >
          {sentTo === null ? 'Send the link' : 'Send it again'}
        </Button>
      </form>
      {onBack && (
        <p className="mt-6 text-sm text-quiet">
          <LinkButton onClick={onBack}>Back to sign-in</LinkButton>
        </p>
      )}
    </>
  );
}
