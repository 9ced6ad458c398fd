import { useEffect, useMemo, useState } from 'react';
import { ClerkProvider } from '@clerk/react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../shared/paths';
import { useTheme } from '../../../shared/theme';
import type { Accounts } from '../../../shared/session/accounts';
import { appearance } from './appearance';
import { ClerkWatch, type Attempt } from './clerk-watch';

/** Until a start that failed is followed by the next one. */
const AGAIN_MS = 3_000;

interface ClerkSessionProps {
  publishableKey: string;
  /** Where Clerk's Frontend API is reached instead of its own host. */
  proxyUrl: string | null;
  onChange: (accounts: Accounts) => void;
}

/**
 * Hosted accounts' part of the client: loads Clerk, starts it again where it could not be loaded, and tells of each
 * change through `onChange`.
 */
export default function ClerkSession({ publishableKey, proxyUrl, onChange }: ClerkSessionProps) {
  const theme = useTheme();
  // The styles that it reads hang on the theme.
  const look = useMemo(appearance, [theme]);
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState<Attempt>('running');

  useEffect(() => {
    if (attempt === 'running') return;
    const [next, after] = attempt === 'failed' ? (['over', AGAIN_MS] as const) : (['running', 0] as const);
    const timer = setTimeout(() => setAttempt(next), after);
    return () => clearTimeout(timer);
  }, [attempt]);

  // A failed start is gone before the next one: Clerk would hand the old one to a provider mounted beside it.
  if (attempt === 'over') return null;
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      {...(proxyUrl !== null && { proxyUrl })}
      telemetry={false}
      appearance={look}
      afterSignOutUrl={paths.landing}
      // Who comes back from another service's sign-in goes on in the form there, not at a page of Clerk's.
      signInUrl={paths.dashboard}
      routerPush={(to) => navigate(inApp(to))}
      routerReplace={(to) => navigate(inApp(to), { replace: true })}
    >
      <ClerkWatch onChange={onChange} onAttempt={setAttempt} />
    </ClerkProvider>
  );
}

/** Clerk names whole addresses; the router wants what follows the origin. */
function inApp(to: string): string {
  const { pathname, search, hash } = new URL(to, window.location.href);
  return pathname + search + hash;
}
