import { useEffect, useMemo, useRef } from 'react';
import { useAuth, useClerk, useUser } from '@clerk/react';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/http/query-keys';
import type { Accounts } from '../../../shared/session/accounts';
import { clerkActions } from './clerk-actions';
import { clerkTrouble } from './clerk-trouble';
import { useRecovery } from './use-recovery';
import { useScriptTrouble } from './use-script-trouble';

/** What another tab told is of a sign-out here that follows within this time. */
const NEWS_MS = 10_000;

/** How a start of Clerk goes: `failed`, and then `over`, to be followed by the next. */
export type Attempt = 'running' | 'failed' | 'over';

interface ClerkWatchProps {
  onChange: (accounts: Accounts) => void;
  /** What is to become of this start of Clerk; always the same function. */
  onAttempt: (attempt: Attempt) => void;
}

/** Tells of Clerk's session in the words of {@link Accounts}. */
export function ClerkWatch({ onChange, onAttempt }: ClerkWatchProps) {
  const clerk = useClerk();
  const queries = useQueryClient();
  const { isSignedIn, sessionClaims } = useAuth();
  const { user: clerkUser } = useUser();
  const { status } = clerk;
  const scripts = useScriptTrouble(status === 'loading');

  useEffect(() => {
    if (status === 'error') onAttempt('failed');
  }, [status, onAttempt]);

  // A newer token may tell of another plan before a webhook does.
  const claim: unknown = sessionClaims?.['pla'];
  const plans = typeof claim === 'string' ? claim : null;
  const knownPlans = useRef<string | null>(null);
  useEffect(() => {
    if (plans !== null && knownPlans.current !== null && plans !== knownPlans.current)
      void queries.invalidateQueries({ queryKey: queryKeys.account });
    knownPlans.current = plans;
  }, [plans, queries]);

  const otherTabs = useRef<BroadcastChannel>(null);
  const newsAt = useRef(-NEWS_MS);
  useEffect(() => {
    const channel = new BroadcastChannel('pressroom-sign-out');
    channel.addEventListener('message', () => (newsAt.current = performance.now()));
    otherTabs.current = channel;
    return () => channel.close();
  }, []);

  const leaving = useRef(false);
  const actions = useMemo(
    () =>
      clerkActions(clerk, {
        onLeaving: (now) => {
          leaving.current = now;
          if (now) otherTabs.current?.postMessage('leaving');
        },
      }),
    [clerk],
  );

  const id = isSignedIn && clerkUser ? clerkUser.id : null;
  useRecovery(clerk, status === 'degraded', id !== null);
  const email = clerkUser?.primaryEmailAddress?.emailAddress ?? null;
  const fullName = clerkUser?.fullName || clerkUser?.username || email?.split('@')[0] || 'You';
  const imageUrl = clerkUser?.imageUrl || null;
  const was = useRef<string | null>(null);
  const left = useRef<Accounts['left']>(null);
  useEffect(() => {
    if (id !== null) left.current = null;
    else if (was.current !== null)
      left.current = leaving.current
        ? null
        : performance.now() - newsAt.current < NEWS_MS
          ? 'elsewhere'
          : 'expired';
    was.current = id;
    leaving.current = false;
    const failing = status === 'error' || scripts !== null;
    onChange({
      ...actions,
      status: failing ? 'error' : status,
      trouble: failing
        ? clerkTrouble[status === 'error' ? 'blocked' : (scripts ?? 'slow')]
        : status === 'degraded'
          ? clerkTrouble.degraded
          : null,
      user: id === null ? null : { id, fullName, email, imageUrl },
      left: left.current,
      // A start that still runs cannot be begun anew beside itself; whoever is not signed in has nothing to lose.
      tryAgain: () => (status === 'error' ? onAttempt('over') : window.location.reload()),
    });
  }, [actions, status, scripts, id, fullName, email, imageUrl, onChange, onAttempt]);
  return null;
}
