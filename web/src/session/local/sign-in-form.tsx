import { useId, useState } from 'react';
import type { SignedInUser } from '../accounts';
import { CredentialsForm, type Credentials, type Mode } from './credentials-form';

const words: Record<Mode, { title: string; lead: string; question: string; other: string }> = {
  'sign-in': {
    title: 'Sign in',
    lead: 'Welcome back. Your work is where you left it.',
    question: 'New to Pressroom?',
    other: 'Create an account',
  },
  'sign-up': {
    title: 'Create an account',
    lead: '30 credits every month, no card needed.',
    question: 'Already have an account?',
    other: 'Sign in',
  },
};

interface SignInFormProps {
  onSignedIn: (user: SignedInUser) => void;
  /** Which of the two forms it opens with. */
  first?: Mode;
  /** Whether something around it, a dialog, already draws the sheet. */
  bare?: boolean;
}

/** Sign-in and sign-up in one place; what was typed in one is there in the other. */
export default function SignInForm({ onSignedIn, first = 'sign-in', bare = false }: SignInFormProps) {
  const [mode, setMode] = useState<Mode>(first);
  const [typed, setTyped] = useState<Credentials>({ name: '', email: '', password: '' });
  const headingId = useId();
  const text = words[mode];
  const Heading = bare ? 'h2' : 'h1';
  return (
    <section
      aria-labelledby={headingId}
      className={bare ? '' : 'sheet w-full max-w-md animate-rise p-6 sm:p-10'}
    >
      <Heading id={headingId} className="text-3xl">
        {text.title}
      </Heading>
      <p className="mt-2 text-quiet">{text.lead}</p>
      <CredentialsForm
        key={mode}
        mode={mode}
        initial={typed}
        onTyped={setTyped}
        onSignedIn={onSignedIn}
        footer={
          <>
            {text.question}{' '}
            <button
              type="button"
              onClick={() => setMode(mode === 'sign-in' ? 'sign-up' : 'sign-in')}
              className="rounded-sm py-1 font-semibold text-ink underline underline-offset-4"
            >
              {text.other}
            </button>
          </>
        }
      />
    </section>
  );
}
