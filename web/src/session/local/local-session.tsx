import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../../api/http';
import { queryKeys } from '../../api/query-keys';
import type { Accounts, SignedInUser } from '../accounts';
import { AuthRefusal, readSession, readToken, signOut } from './auth-api';
import { openTabNews, type TabNews } from './tab-news';
import { createTokenKeeper } from './token-keeper';

const SignInForm = lazy(() => import('./sign-in-form'));
const SignInDialog = lazy(() => import('./sign-in-dialog'));
const PlanCards = lazy(() => import('./plan-cards'));
const ProfileDialog = lazy(() => import('../profile-dialog'));

/**
 * The local accounts' part of the client: watches the session, tells of each change through `onChange`, and draws
 * the sign-in and profile dialogs.
 */
export default function LocalSession({ onChange }: { onChange: (accounts: Accounts) => void }) {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'sign-in' | 'sign-up' | 'profile' | null>(null);
  const session = useQuery({
    queryKey: queryKeys.session,
    queryFn: readSession,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: true,
  });

  const news = useRef<TabNews>(null);
  const left = useRef<Accounts['left']>(null);
  const actions = useMemo(() => {
    const setUser = (user: SignedInUser | null) => queries.setQueryData(queryKeys.session, user);
    const keeper = createTokenKeeper({
      read: () => readToken().catch(unreachable),
      now: () => performance.now(),
      onEnded: () => {
        left.current = 'expired';
        setUser(null);
      },
    });
    const signedIn = (user: SignedInUser) => {
      keeper.forget();
      setUser(user);
      setDialog(null);
      news.current?.tell();
    };
    return {
      signedIn,
      onNews: () => {
        left.current = 'elsewhere';
        keeper.forget();
        void queries.invalidateQueries({ queryKey: queryKeys.session });
      },
      accounts: {
        getToken: keeper.getToken,
        openSignIn: () => setDialog('sign-in'),
        openProfile: () => setDialog('profile'),
        signOut: async () => {
          await signOut();
          left.current = null;
          keeper.forget();
          setDialog(null);
          setUser(null);
          news.current?.tell();
        },
        SignInPanel: () => <SignInForm onSignedIn={signedIn} />,
        PricingTable: () => <PlanCards onSignUp={() => setDialog('sign-up')} />,
      },
    };
  }, [queries]);
  useEffect(() => {
    const opened = openTabNews(actions.onNews);
    news.current = opened;
    return opened.close;
  }, [actions]);

  const { data: user, failureReason } = session;
  useEffect(() => {
    const status = user !== undefined ? 'ready' : statusOf(failureReason);
    onChange({ ...actions.accounts, status, user: user ?? null, left: left.current });
  }, [actions, user, failureReason, onChange]);

  return (
    <Suspense fallback={null}>
      {(dialog === 'sign-in' || dialog === 'sign-up') && (
        <SignInDialog first={dialog} onClose={() => setDialog(null)} onSignedIn={actions.signedIn} />
      )}
      {dialog === 'profile' && user && <ProfileDialog onClose={() => setDialog(null)} />}
    </Suspense>
  );
}

function statusOf(failure: Error | null): Accounts['status'] {
  if (failure === null) return 'loading';
  return failure instanceof AuthRefusal && failure.status !== 0 ? 'degraded' : 'error';
}

function unreachable(cause: unknown): never {
  throw new ApiFailure('UNREACHABLE', 'Your sign-in cannot be checked just now. Try again in a moment.', {
    status: 0,
    cause,
  });
}
