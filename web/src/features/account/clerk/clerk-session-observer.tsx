import { useEffect, useMemo, useRef } from 'react';
import { useAuth, useClerk, useUser } from '@clerk/react';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/http/query-keys';
import type { Accounts } from '../../../shared/account/accounts';
import { clerkActions } from './clerk-actions';
import { clerkErrors } from './clerk-errors';
import { useReloadOnRecovery } from './use-reload-on-recovery';
import { useClerkScriptError } from './use-clerk-script-error';

/** A sign-out within this time after another tab's message counts as started by that tab. */
const OTHER_TAB_MS = 10_000;

/** State of an attempt to load Clerk. To try again after `failed`, the state changes to `ended`, then to `running`. */
export type Attempt = 'running' | 'failed' | 'ended';

interface ClerkSessionObserverProps {
  onChange: (accounts: Accounts) => void;
  /** Sets the state of the attempt. Must be a stable function. */
  onAttempt: (attempt: Attempt) => void;
}

export function ClerkSessionObserver({ onChange, onAttempt }: ClerkSessionObserverProps) {
  const clerk = useClerk();
  const queries = useQueryClient();
  const { isSignedIn, sessionClaims } = useAuth();
  const { user: clerkUser } = useUser();
  const { status } = clerk;
  const scriptError = useClerkScriptError(status === 'loading');

  useEffect(() => {
    if (status === 'error') onAttempt('failed');
  }, [status, onAttempt]);

  // A changed plan can be in the session token before the server gets Clerk's webhook, so refetch the account.
  const claim: unknown = sessionClaims?.['pla'];
  const plans = typeof claim === 'string' ? claim : null;
  const knownPlans = useRef<string | null>(null);
  useEffect(() => {
    if (plans !== null && knownPlans.current !== null && plans !== knownPlans.current)
      void queries.invalidateQueries({ queryKey: queryKeys.account });
    knownPlans.current = plans;
  }, [plans, queries]);

  const otherTabs = useRef<BroadcastChannel>(null);
  const otherTabAt = useRef(-OTHER_TAB_MS);
  useEffect(() => {
    const channel = new BroadcastChannel('pressroom-sign-out');
    channel.addEventListener('message', () => (otherTabAt.current = performance.now()));
    otherTabs.current = channel;
    return () => channel.close();
  }, []);

  const signingOut = useRef(false);
  const actions = useMemo(
    () =>
      clerkActions(clerk, {
        onSigningOut: (now) => {
          signingOut.current = now;
          if (now) otherTabs.current?.postMessage('leaving');
        },
      }),
    [clerk],
  );

  const id = isSignedIn && clerkUser ? clerkUser.id : null;
  useReloadOnRecovery(clerk, status === 'degraded', id !== null);
  const email = clerkUser?.primaryEmailAddress?.emailAddress ?? null;
  const fullName = clerkUser?.fullName || clerkUser?.username || email?.split('@')[0] || 'You';
  const imageUrl = clerkUser?.imageUrl || null;
  const lastId = useRef<string | null>(null);
  const signOutReason = useRef<Accounts['signOutReason']>(null);
  useEffect(() => {
    if (id !== null) signOutReason.current = null;
    else if (lastId.current !== null)
      signOutReason.current = signingOut.current
        ? null
        : performance.now() - otherTabAt.current < OTHER_TAB_MS
          ? 'other-tab'
          : 'expired';
    lastId.current = id;
    signingOut.current = false;
    const failed = status === 'error' || scriptError !== null;
    onChange({
      ...actions,
      status: failed ? 'error' : status,
      error: failed
        ? clerkErrors[status === 'error' ? 'blocked' : (scriptError ?? 'slow')]
        : status === 'degraded'
          ? clerkErrors.degraded
          : null,
      user: id === null ? null : { id, fullName, email, imageUrl },
      signOutReason: signOutReason.current,
      // A running attempt can't be restarted without a reload. Visitors lose nothing by a reload.
      retry: () => (status === 'error' ? onAttempt('ended') : window.location.reload()),
    });
  }, [actions, status, scriptError, id, fullName, email, imageUrl, onChange, onAttempt]);
  return null;
}
