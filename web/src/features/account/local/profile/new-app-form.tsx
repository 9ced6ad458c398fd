import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { encode } from 'uqr';
import { z } from 'zod';
import { Button } from '../../../../shared/ui/button';
import { CopyButton } from '../../../../shared/ui/copy-button';
import { TextField } from '../../../../shared/ui/text-field';
import { authErrorMessage } from '../api/auth-error-message';
import { appCodeSchema } from '../api/field-schemas';
import { verifyCode, type NewApp } from '../api/second-factor-api';
import { AuthProblem, useRetryWait } from '../ui/auth-problem';
import { useAccountMutation } from './use-account-mutation';

const schema = z.object({ code: appCodeSchema });

interface NewAppFormProps {
  app: NewApp;
  onVerified: () => void;
  onCancel: () => void;
}

/** Shows the secret as a QR code and as text, and asks for a first code. */
export function NewAppForm({ app, onVerified, onCancel }: NewAppFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { code: '' },
  });
  useEffect(() => setFocus('code'), [setFocus]);
  const verify = useAccountMutation({
    mutationFn: (code: string) => verifyCode({ code }),
    onSuccess: onVerified,
    onError: (error) => {
      const { field, message } = authErrorMessage(error);
      if (field === 'code') setError('code', { message }, { shouldFocus: true });
    },
  });
  const wait = useRetryWait(verify.error);
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit(({ code }) => verify.mutateAsync(code).catch(() => undefined))(event)
      }
      noValidate
      aria-label="A new authenticator app"
      className="mt-4 grid grid-cols-1 gap-5 rounded-control bg-sunken p-4"
    >
      <div className="flex flex-wrap items-start gap-5">
        <QrCode text={app.uri} label="QR code with the secret for the authenticator app" />
        <div className="min-w-0 flex-[1_1_14rem] text-[0.9375rem]">
          <p>Scan this with an authenticator app on your phone. No camera? Type the secret into the app:</p>
          <p className="mt-3 font-mono text-sm wrap-anywhere select-all">
            {app.secret.match(/.{1,4}/g)?.join(' ')}
          </p>
          <div className="mt-3">
            <CopyButton
              text={app.secret}
              copied="Secret copied."
              failed="Copying failed. Select it and copy it by hand."
            />
          </div>
        </div>
      </div>
      <TextField
        label="Code"
        hint="The six digits that the app shows now."
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        required
        error={formState.errors.code?.message}
        {...register('code')}
      />
      {verify.isError && authErrorMessage(verify.error).field !== 'code' && (
        <AuthProblem error={verify.error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" variant="primary" busy={verify.isPending} waiting={wait > 0}>
          Turn it on
        </Button>
        <Button size="small" variant="quiet" disabled={verify.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Black on white in both themes, as cameras need it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'M', border: 2 });
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size, path: squares.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 shrink-0 rounded-control"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
