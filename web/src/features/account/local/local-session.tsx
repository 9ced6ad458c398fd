import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { ApiFailure } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { paths } from '../../../shared/paths';
import type { Accounts, SignedInUser } from '../../../shared/account/accounts';
import { readSession, readToken, signOut } from './api/auth-api';
import { AuthError } from './api/auth-call';
import { LocalDialogs, type OpenDialog } from './local-dialogs';
import { createTokenCache } from './api/token-cache';
import { useProfileSync } from './use-profile-sync';

const SignInForm = lazy(() => import('./sign-in/sign-in-form'));
const LocalPricingTable = lazy(() => import('./local-pricing-table'));

/** Message to other tabs: a user signed in or out (`changed`) or deleted the account (`deleted`). */
type SessionEvent = 'changed' | 'deleted';

/** Session of local accounts. Passes each change of the session to `onChange` and renders the account dialogs. */
export default function LocalSession({ onChange }: { onChange: (accounts: Accounts) => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const session = useQuery({
    queryKey: queryKeys.session,
    queryFn: readSession,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: true,
  });
  useProfileSync();

  const navigateRef = useRef(navigate);
  useEffect(() => {
    navigateRef.current = navigate;
  }, [navigate]);
  const channel = useRef<BroadcastChannel>(null);
  const signOutReason = useRef<Accounts['signOutReason']>(null);
  const actions = useMemo(() => {
    const setUser = (user: SignedInUser | null) => queries.setQueryData(queryKeys.session, user);
    const tokenCache = createTokenCache({
      read: () => readToken().catch(unreachable),
      now: () => performance.now(),
      onEnded: () => {
        signOutReason.current = 'expired';
        setUser(null);
      },
    });
    const signedIn = (user: SignedInUser) => {
      tokenCache.clear();
      setUser(user);
      setDialog(null);
      channel.current?.postMessage('changed');
    };
    /** Called after the user signed out or deleted the account in this tab. */
    const endSession = (event: SessionEvent) => {
      signOutReason.current = null;
      tokenCache.clear();
      setUser(null);
      channel.current?.postMessage(event);
    };
    return {
      signedIn,
      deleted: () => {
        void navigateRef.current(paths.landing);
        setDialog('deleted');
        endSession('deleted');
      },
      onSessionEvent: (event: SessionEvent) => {
        signOutReason.current = event === 'deleted' ? 'deleted' : 'other-tab';
        tokenCache.clear();
        void queries.invalidateQueries({ queryKey: queryKeys.session });
      },
      accounts: {
        getToken: tokenCache.getToken,
        openSignIn: () => setDialog('sign-in'),
        openProfile: (section?: 'security') => setDialog(section ?? 'profile'),
        signOut: async () => {
          await signOut();
          setDialog(null);
          endSession('changed');
        },
        SignInPanel: ({ isNewcomer = false }: { isNewcomer?: boolean }) => (
          <SignInForm onSignedIn={signedIn} initialStep={isNewcomer ? 'sign-up' : 'sign-in'} />
        ),
        PricingTable: () => <LocalPricingTable onSignUp={() => setDialog('sign-up')} />,
      },
    };
  }, [queries]);
  useEffect(() => {
    const opened = new BroadcastChannel('pressroom-session');
    opened.addEventListener('message', ({ data }: MessageEvent<SessionEvent>) =>
      actions.onSessionEvent(data),
    );
    channel.current = opened;
    return () => opened.close();
  }, [actions]);

  const { data: user, failureReason } = session;
  useEffect(() => {
    const status = user !== undefined ? 'ready' : statusOf(failureReason);
    onChange({ ...actions.accounts, status, user: user ?? null, signOutReason: signOutReason.current });
  }, [actions, user, failureReason, onChange]);

  return (
    <Suspense fallback={null}>
      <LocalDialogs
        open={dialog}
        user={user}
        onClose={() => setDialog(null)}
        onSignedIn={actions.signedIn}
        onDeleted={actions.deleted}
        onOpen={setDialog}
      />
    </Suspense>
  );
}

function statusOf(failure: Error | null): Accounts['status'] {
  if (failure === null) return 'loading';
  return failure instanceof AuthError && failure.status !== 0 ? 'degraded' : 'error';
}

function unreachable(cause: unknown): never {
  throw new ApiFailure('UNREACHABLE', 'Your sign-in could not be checked. Try again in a moment.', {
    status: 0,
    cause,
  });
}
