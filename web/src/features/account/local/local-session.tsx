import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { ApiFailure } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { paths } from '../../../shared/paths';
import type { Accounts, SignedInUser } from '../../../shared/session/accounts';
import { readSession, readToken, signOut } from './api/auth-api';
import { AuthRefusal } from './api/auth-call';
import { LocalDialogs, type OpenDialog } from './local-dialogs';
import { openTabNews, type News, type TabNews } from './api/tab-news';
import { createTokenKeeper } from './api/token-keeper';
import { useProfileNews } from './use-profile-news';

const SignInForm = lazy(() => import('./sign-in/sign-in-form'));
const PlanCards = lazy(() => import('./plan-cards'));

/**
 * The local accounts' part of the client: watches the session, tells of each change through `onChange`, and draws
 * the dialogs.
 */
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
  useProfileNews();

  const go = useRef(navigate);
  useEffect(() => {
    go.current = navigate;
  }, [navigate]);
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
      news.current?.publish('changed');
    };
    /** Nobody is here any more, by the user's own doing. */
    const leave = (what: News) => {
      left.current = null;
      keeper.forget();
      setUser(null);
      news.current?.publish(what);
    };
    return {
      signedIn,
      removed: () => {
        void go.current(paths.landing);
        setDialog('removed');
        leave('removed');
      },
      onNews: (heard: News) => {
        left.current = heard === 'removed' ? 'removed' : 'elsewhere';
        keeper.forget();
        void queries.invalidateQueries({ queryKey: queryKeys.session });
      },
      accounts: {
        getToken: keeper.getToken,
        openSignIn: () => setDialog('sign-in'),
        openProfile: () => setDialog('profile'),
        signOut: async () => {
          await signOut();
          setDialog(null);
          leave('changed');
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
      <LocalDialogs
        open={dialog}
        user={user}
        onClose={() => setDialog(null)}
        onSignedIn={actions.signedIn}
        onRemoved={actions.removed}
      />
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
