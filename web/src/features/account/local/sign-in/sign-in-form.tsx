import { useId, useState, type ReactNode } from 'react';
import { useConfig } from '../../../../shared/api/read-config';
import type { SignedInUser } from '../../../../shared/session/accounts';
import { CredentialsForm, type Credentials, type Mode } from './credentials-form';
import { ForgottenForm } from './forgotten-form';
import { LinkButton } from './link-button';
import { UnconfirmedStep } from './unconfirmed-step';
import { useHeadingOf } from './use-heading-of';

export type Step = Mode | 'forgotten' | 'unconfirmed';

const words: Record<Step, { title: string; lead?: string }> = {
  'sign-in': { title: 'Sign in', lead: 'Welcome back. Your work is where you left it.' },
  'sign-up': { title: 'Create an account', lead: '30 credits every month, no card needed.' },
  forgotten: {
    title: 'Set a new password',
    lead: 'Give your account’s address. We send a link to it that lets you choose a new password.',
  },
  unconfirmed: { title: 'Confirm your address' },
};

interface SignInFormProps {
  onSignedIn: (user: SignedInUser) => void;
  /** The step it opens with. */
  first?: Step;
  /** What happened before, in place of the lead. */
  news?: ReactNode;
  /** Whether something around it, a dialog, already draws the sheet. */
  bare?: boolean;
}

/** Sign-in, sign-up and what belongs to them in one place; what was typed in one step is there in the others. */
export default function SignInForm({ onSignedIn, first = 'sign-in', news, bare = false }: SignInFormProps) {
  const mail = useConfig().data?.accounts.mail ?? false;
  const [step, setStep] = useState<Step>(first);
  const heading = useHeadingOf(step);
  const [typed, setTyped] = useState<Credentials>({ name: '', email: '', password: '' });
  const headingId = useId();
  const { title, lead } = words[step];
  const Heading = bare ? 'h2' : 'h1';
  const other = step === 'sign-up' ? 'sign-in' : 'sign-up';
  return (
    <section
      aria-labelledby={headingId}
      className={bare ? '' : 'sheet w-full max-w-md animate-rise p-6 sm:p-10'}
    >
      <Heading ref={heading} id={headingId} tabIndex={-1} className="text-3xl outline-none">
        {title}
      </Heading>
      {news && step === first ? (
        <div className="mt-5">{news}</div>
      ) : (
        lead && <p className="mt-2 text-quiet">{lead}</p>
      )}
      {step === 'forgotten' && <ForgottenForm email={typed.email} onBack={() => setStep('sign-in')} />}
      {step === 'unconfirmed' && (
        <UnconfirmedStep {...typed} onSignedIn={onSignedIn} onBack={() => setStep('sign-up')} />
      )}
      {(step === 'sign-in' || step === 'sign-up') && (
        <CredentialsForm
          key={step}
          mode={step}
          initial={typed}
          onTyped={setTyped}
          onSignedIn={onSignedIn}
          onUnconfirmed={() => setStep('unconfirmed')}
          onForgotten={mail ? () => setStep('forgotten') : undefined}
          footer={
            <>
              {step === 'sign-in' ? 'New to Pressroom?' : 'Already have an account?'}{' '}
              <LinkButton onClick={() => setStep(other)}>{words[other].title}</LinkButton>
            </>
          }
        />
      )}
    </section>
  );
}
