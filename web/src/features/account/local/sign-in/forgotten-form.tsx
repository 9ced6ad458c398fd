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
import { refusalText } from '../api/refusal-text';

const schema = z.object({ email: emailSchema });

interface ForgottenFormProps {
  /** What was typed in the other forms. */
  email: string;
  /** The way back to the form it stands in place of, if any. */
  onBack?: () => void;
}

/** Has a link mailed to set a new password by; whether the address has an account is told to nobody. */
export function ForgottenForm({ email, onBack }: ForgottenFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { email },
  });
  const submit = handleSubmit(async (typed) => {
    setProblem(null);
    setAsked(null);
    try {
      await requestReset(typed.email);
      setAsked(typed.email);
    } catch (error) {
      const { field, message } = refusalText(error);
      if (field === 'email') setError('email', { message }, { shouldFocus: true });
      else setProblem(message);
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
        {problem !== null && <Notice tone="danger">{problem}</Notice>}
        {asked !== null && (
          <Notice tone="success" title="Look into your mail">
            If {asked} has an account, a link is on its way. It is good for an hour and works once. Nothing
            there after a few minutes? Look among unwanted mail.
          </Notice>
        )}
        <Button
          type="submit"
          variant={asked === null ? 'primary' : 'plain'}
          busy={formState.isSubmitting}
          className="w-full"
        >
          {asked === null ? 'Send the link' : 'Send it again'}
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
