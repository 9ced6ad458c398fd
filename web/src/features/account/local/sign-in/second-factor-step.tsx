import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { Switch } from '../../../../shared/ui/switch';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { authErrorMessage } from '../api/auth-error-message';
import { appCodeSchema } from '../api/field-schemas';
import { verifyCode, verifyRecoveryCode } from '../api/second-factor-api';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { LinkButton } from './link-button';

const schemas = {
  app: z.object({ code: appCodeSchema }),
  recovery: z.object({ code: z.string().trim().min(1, 'Enter one of your recovery codes.') }),
};

interface SecondFactorStepProps {
  onSignedIn: (user: SignedInUser) => void;
  onBack: () => void;
}

/** Follows the password of an account with an authenticator app: its code, or a recovery code. */
export function SecondFactorStep({ onSignedIn, onBack }: SecondFactorStepProps) {
  const [kind, setKind] = useState<keyof typeof schemas>('app');
  const [trusted, setTrusted] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const wait = useRetryWait(failure);
  const { register, handleSubmit, setError, setFocus, reset, formState } = useForm<{ code: string }>({
    resolver: zodResolver(schemas[kind]),
    defaultValues: { code: '' },
  });
  useEffect(() => setFocus('code'), [setFocus, kind]);
  const submit = handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      const verify = kind === 'app' ? verifyCode : verifyRecoveryCode;
      onSignedIn(await verify({ code, trustDevice: trusted }));
    } catch (error) {
      const { field, message } = authErrorMessage(error);
      if (field === 'code') setError('code', { message }, { shouldFocus: true });
      else setFailure(error);
    }
  });
  const switchKind = () => {
    setFailure(null);
    reset();
    setKind(kind === 'app' ? 'recovery' : 'app');
  };
  return (
    <>
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-8 grid grid-cols-1 gap-5">
        {kind === 'app' ? (
          <TextField
            key="app"
            label="Code"
            hint="The six digits that your authenticator app shows for Pressroom."
            autoComplete="one-time-code"
            inputMode="numeric"
            spellCheck={false}
            required
            error={formState.errors.code?.message}
            {...register('code')}
          />
        ) : (
          <TextField
            key="recovery"
            label="Recovery code"
            hint="One of those that you saved when you set up the app. Each works once."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={formState.errors.code?.message}
            {...register('code')}
          />
        )}
        <Switch
          label="Trust this browser"
          hint="It asks for no code for 30 days. Only on a device of your own."
          checked={trusted}
          onChange={setTrusted}
        />
        {failure !== null && <AuthProblem error={failure} />}
        <Button
          type="submit"
          variant="primary"
          busy={formState.isSubmitting}
          waiting={wait > 0}
          className="w-full"
        >
          Sign in
        </Button>
      </form>
      <p className="mt-6 grid justify-items-start gap-2 text-sm text-quiet">
        <LinkButton onClick={switchKind}>
          {kind === 'app' ? 'Use a recovery code' : 'Use the authenticator app'}
        </LinkButton>
        <LinkButton onClick={onBack}>Back to sign-in</LinkButton>
      </p>
    </>
  );
}
