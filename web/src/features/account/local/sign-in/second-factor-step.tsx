import { useState, type ComponentProps } from 'react';
import { z } from 'zod';
import { Switch } from '../../../../shared/ui/switch';
import { TextField } from '../../../../shared/ui/text-field';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { appCodeSchema, recoveryCodeSchema } from '../api/field-schemas';
import { verifyCode, verifyRecoveryCode } from '../api/second-factor-api';
import { AppCodeField } from '../ui/fields';
import { StepForm } from '../ui/forms';
import { useAccountForm } from '../ui/use-account-form';
import { LinkButton } from './link-button';

const RecoveryCodeField = (props: ComponentProps<typeof AppCodeField>) => (
  <TextField
    label="Recovery code"
    hint="One of the codes that you saved when you set up the app. Each works once."
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);

const kinds = {
  app: {
    verify: verifyCode,
    schema: z.object({ code: appCodeSchema }),
    Field: AppCodeField,
    other: 'Use a recovery code',
  },
  recovery: {
    verify: verifyRecoveryCode,
    schema: z.object({ code: recoveryCodeSchema }),
    Field: RecoveryCodeField,
    other: 'Use the authenticator app',
  },
} as const;

interface SecondFactorStepProps {
  onSignedIn: (user: SignedInUser) => void;
  onBack: () => void;
}

/** Step after the password: asks for a code of the authenticator app or for a recovery code. */
export function SecondFactorStep({ onSignedIn, onBack }: SecondFactorStepProps) {
  const [kind, setKind] = useState<keyof typeof kinds>('app');
  return (
    <>
      <CodeForm key={kind} kind={kind} onSignedIn={onSignedIn} />
      <p className="mt-6 grid justify-items-start gap-2 text-sm text-quiet">
        <LinkButton onClick={() => setKind(kind === 'app' ? 'recovery' : 'app')}>
          {kinds[kind].other}
        </LinkButton>
        <LinkButton onClick={onBack}>Back to sign-in</LinkButton>
      </p>
    </>
  );
}

interface CodeFormProps {
  kind: keyof typeof kinds;
  onSignedIn: (user: SignedInUser) => void;
}

function CodeForm({ kind, onSignedIn }: CodeFormProps) {
  const { verify, schema, Field } = kinds[kind];
  const [trusted, setTrusted] = useState(false);
  const form = useAccountForm({
    schema,
    defaultValues: { code: '' },
    focus: 'code',
    mutationFn: ({ code }) => verify({ code, trustDevice: trusted }),
    onSuccess: onSignedIn,
  });
  return (
    <StepForm form={form} action="Sign in">
      <Field {...form.field('code')} />
      <Switch
        label="Trust this browser"
        hint="Skip the code for 30 days. Only use this on your own device."
        checked={trusted}
        onChange={setTrusted}
      />
    </StepForm>
  );
}
