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
  /** URL of a proxy for Clerk's Frontend API; null to use Clerk's own host. */
  proxyUrl: string | null;
  onChange: (accounts: Accounts) => void;
}

/** Loads Clerk, with a retry after a failure, and passes each change of the session to `onChange`. */
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

  // Render nothing once to unmount the failed provider. Otherwise, Clerk would reuse the failed instance.
  if (attempt === 'ended') return null;
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      {...(proxyUrl !== null && { proxyUrl })}
      telemetry={false}
      appearance={clerkAppearance}
      afterSignOutUrl={paths.landing}
      // After a sign-in through another service, Clerk redirects to our form instead of a page of its own.
      signInUrl={paths.dashboard}
      routerPush={(to) => navigate(pathOf(to))}
      routerReplace={(to) => navigate(pathOf(to), { replace: true })}
    >
      <ClerkSessionObserver onChange={onChange} onAttempt={setAttempt} />
    </ClerkProvider>
  );
}

/** Strips the origin from a URL: Clerk passes absolute URLs, but the router needs paths. */
function pathOf(to: string): string {
  const { pathname, search, hash } = new URL(to, window.location.href);
  return pathname + search + hash;
}
