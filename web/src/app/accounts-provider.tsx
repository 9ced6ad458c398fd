import { lazy, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useConfig } from '../shared/api/read-config';
import { useLoadAgain } from '../shared/ui/page-errors';
import { AccountsContext, loadingAccounts, type Accounts } from '../shared/session/accounts';
import { drafts } from '../shared/drafts/drafts';
import { forgetUser } from './forget-user';

const LocalSession = lazy(() => import('../features/account/local/local-session'));
const ClerkSession = lazy(() => import('../features/account/clerk/clerk-session'));

/** Gives the page its accounts; the provider's own code is loaded beside the page, never before it. */
export function AccountsProvider({ children }: { children: ReactNode }) {
  const config = useConfig();
  const queries = useQueryClient();
  const [accounts, setAccounts] = useState<Accounts>(loadingAccounts);
  const known = useRef<string | null>(null);

  /** What one user saw must not be there for the next: it goes before anything of the next is drawn. */
  const change = useCallback(
    (next: Accounts) => {
      const userId = next.user?.id ?? null;
      if (userId !== known.current) {
        if (userId === null) forgetUser(queries, { keepDrafts: next.left === 'expired' });
        else {
          if (!drafts.areOf(userId)) forgetUser(queries);
          drafts.setOwner(userId);
        }
        known.current = userId;
      }
      setAccounts(next);
    },
    [queries],
  );

  const [broken, setBroken] = useState(false);
  const unreachable = broken || (config.data === undefined && config.failureReason !== null);
  const value = unreachable ? { ...accounts, status: 'error' as const, trouble: null } : accounts;
  return (
    <AccountsContext value={value}>
      {children}
      <ErrorBoundary FallbackComponent={NoAccounts} onError={() => setBroken(true)}>
        <Suspense fallback={null}>
          {config.data?.accounts.provider === 'local' && <LocalSession onChange={change} />}
          {config.data?.accounts.provider === 'clerk' && (
            <ClerkSession
              publishableKey={config.data.accounts.publishableKey ?? ''}
              proxyUrl={config.data.accounts.proxyUrl}
              onChange={change}
            />
          )}
        </Suspense>
      </ErrorBoundary>
    </AccountsContext>
  );
}

/** The page stays and says that there are no accounts, until it is loaded again. */
function NoAccounts({ error }: FallbackProps) {
  useLoadAgain(error);
  return null;
}
