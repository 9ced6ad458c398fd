import { useEffect, useMemo, useState } from 'react';
import { ClerkProvider } from '@clerk/react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../shared/paths';
import { useTheme } from '../../../shared/theme';
import type { Accounts } from '../../../shared/account/accounts';
import { appearance } from './appearance';
import { ClerkSessionObserver, type Attempt } from './clerk-session-observer';

const RETRY_MS = 3_000;

interface ClerkSessionProps {
  publishableKey: string;
  /** The address of Clerk's Frontend API, if not its own host. */
  proxyUrl: string | null;
  onChange: (accounts: Accounts) => void;
}

/** Loads Clerk, again if it could not be loaded, and passes each change of the session to `onChange`. */
export default function ClerkSession({ publishableKey, proxyUrl, onChange }: ClerkSessionProps) {
  const theme = useTheme();
  const clerkAppearance = useMemo(appearance, [theme]);
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState<Attempt>('running');

  useEffect(() => {
    if (attempt === 'running') return;
    const [next, delay] = attempt === 'failed' ? (['ended', RETRY_MS] as const) : (['running', 0] as const);
    const timer = setTimeout(() => setAttempt(next), delay);
    return () => clearTimeout(timer);
  }, [attempt]);

  // Unmounts the failed provider first. Clerk would otherwise reuse its instance.
  if (attempt === 'ended') return null;
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      {...(proxyUrl !== null && { proxyUrl })}
      telemetry={false}
      appearance={clerkAppearance}
      afterSignOutUrl={paths.landing}
      // A sign-in by another service returns to our form, not to a page of Clerk's.
      signInUrl={paths.dashboard}
      routerPush={(to) => navigate(pathOf(to))}
      routerReplace={(to) => navigate(pathOf(to), { replace: true })}
    >
      <ClerkSessionObserver onChange={onChange} onAttempt={setAttempt} />
    </ClerkProvider>
  );
}

/** Clerk passes absolute addresses; the router takes what follows the origin. */
function pathOf(to: string): string {
  const { pathname, search, hash } = new URL(to, window.location.href);
  return pathname + search + hash;
}
