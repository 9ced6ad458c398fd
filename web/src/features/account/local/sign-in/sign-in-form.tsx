import { useId, useState, type ReactNode } from 'react';
import { useConfig } from '../../../../shared/account/read-config';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { CredentialsForm, type Credentials, type Mode } from './credentials-form';
import { ForgotPasswordForm } from './forgot-password-form';
import { LinkButton } from './link-button';
import { NoMailStep } from './no-mail-step';
import { SecondFactorStep } from './second-factor-step';
import { ConfirmEmailStep } from './confirm-email-step';
import { useStepHeading } from './use-step-heading';

export type Step = Mode | 'forgot-password' | 'confirm-email' | 'second-factor';

const headings: Record<Step, { title: string; lead?: string }> = {
  'sign-in': { title: 'Sign in', lead: 'Welcome back.' },
  'sign-up': { title: 'Create an account' },
  'forgot-password': {
    title: 'Reset your password',
    lead: 'Enter your email address. We send you a link to choose a new password.',
  },
  'confirm-email': { title: 'Confirm your address' },
  'second-factor': {
    title: 'Enter a code',
    lead: 'Your account is protected by two-factor authentication.',
  },
};

interface SignInFormProps {
  onSignedIn: (user: SignedInUser) => void;
  initialStep?: Step;
  /** Replaces the introduction in the initial step. */
  notice?: ReactNode;
  /** True if the form is inside a dialog and so needs no panel around it. */
  inDialog?: boolean;
}

/**
 * The steps sign-in, sign-up, forgotten password, confirmation and second factor. They share the values that the user typed.
 */
export default function SignInForm({
  onSignedIn,
  initialStep = 'sign-in',
  notice,
  inDialog = false,
}: SignInFormProps) {
  const config = useConfig().data;
  const mail = config?.accounts.mail ?? false;
  const [step, setStep] = useState<Step>(initialStep);
  const heading = useStepHeading(step);
  const [typed, setTyped] = useState<Credentials>({ name: '', email: '', password: '' });
  const headingId = useId();
  const { title, lead } = {
    ...headings[step],
    ...(step === 'forgot-password' && !mail && { lead: undefined }),
    ...(step === 'sign-up' &&
      config && { lead: `${config.plans.free.monthlyCredits} credits every month, no card needed.` }),
  };
  const Heading = inDialog ? 'h2' : 'h1';
  const other = step === 'sign-up' ? 'sign-in' : 'sign-up';
  return (
    <section
      aria-labelledby={headingId}
      className={inDialog ? '' : 'panel w-full max-w-md animate-rise p-6 sm:p-10'}
    >
      <Heading ref={heading} id={headingId} tabIndex={-1} className="text-3xl outline-none">
        {title}
      </Heading>
      {notice && step === initialStep ? (
        <div className="mt-5">{notice}</div>
      ) : (
        lead && <p className="mt-2 text-quiet">{lead}</p>
      )}
      {step === 'forgot-password' &&
        (mail ? (
          <ForgotPasswordForm email={typed.email} onBack={() => setStep('sign-in')} />
        ) : (
          <NoMailStep email={typed.email} onBack={() => setStep('sign-in')} />
        ))}
      {step === 'confirm-email' && (
        <ConfirmEmailStep
          {...typed}
          onSignedIn={onSignedIn}
          onSecondFactor={() => setStep('second-factor')}
          onBack={() => setStep('sign-up')}
        />
      )}
      {step === 'second-factor' && (
        <SecondFactorStep onSignedIn={onSignedIn} onBack={() => setStep('sign-in')} />
      )}
      {(step === 'sign-in' || step === 'sign-up') && (
        <CredentialsForm
          key={step}
          mode={step}
          initial={typed}
          onTyped={setTyped}
          onSignedIn={onSignedIn}
          onConfirmationNeeded={() => setStep('confirm-email')}
          onSecondFactor={() => setStep('second-factor')}
          onForgotPassword={() => setStep('forgot-password')}
          footer={
            <>
              {step === 'sign-in' ? 'New to Pressroom?' : 'Already have an account?'}{' '}
              <LinkButton onClick={() => setStep(other)}>{headings[other].title}</LinkButton>
            </>
          }
        />
      )}
    </section>
  );
}
