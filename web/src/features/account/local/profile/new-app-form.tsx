import { useMemo } from 'react';
import { encode } from 'uqr';
import { z } from 'zod';
import { CopyButton } from '../../../../shared/ui/copy-button';
import { appCodeSchema } from '../api/field-schemas';
import { verifyCode, type NewApp } from '../api/second-factor-api';
import { AppCodeField } from '../ui/fields';
import { InlineForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';

const schema = z.object({ code: appCodeSchema });

interface NewAppFormProps {
  app: NewApp;
  onVerified: () => void;
  onCancel: () => void;
}

/** Sets up an authenticator app: shows the secret as QR code and as text, and asks for a code as proof. */
export function NewAppForm({ app, onVerified, onCancel }: NewAppFormProps) {
  const form = useAccountForm({
    schema,
    defaultValues: { code: '' },
    focus: 'code',
    mutationFn: verifyCode,
    onSuccess: onVerified,
  });
  return (
    <InlineForm
      form={form}
      label="Set up authenticator app"
      action="Turn on"
      onCancel={onCancel}
      className="mt-4"
    >
      <div className="flex flex-wrap items-start gap-5">
        <QrCode text={app.uri} label="QR code for the authenticator app" />
        <div className="min-w-0 flex-[1_1_14rem] text-[0.9375rem]">
          <p>Scan this with an authenticator app on your phone. No camera? Enter this key in the app:</p>
          <p className="mt-3 font-mono text-sm wrap-anywhere select-all">
            {app.secret.match(/.{1,4}/g)?.join(' ')}
          </p>
          <div className="mt-3">
            <CopyButton
              text={app.secret}
              copied="Key copied."
              failed="Failed to copy the key. Select it and copy it by hand."
            />
          </div>
        </div>
      </div>
      <AppCodeField {...form.field('code')} />
    </InlineForm>
  );
}

/** A QR code, black on white in both themes, so that cameras can read it. */
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
