import { lazy, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useConfig } from '../shared/account/read-config';
import { useReloadWhenAvailable } from '../shared/ui/page-errors';
import { AccountsContext, loadingAccounts, type Accounts } from '../shared/account/accounts';
import { drafts } from '../shared/drafts/drafts';
import { batchFiles } from '../modules/runs/state/batch-files';
import { fileDrafts } from '../shared/drafts/file-drafts';
import { queryKeys } from '../shared/http/query-keys';
import { clearChats } from '../features/tools/chat-with-pdf/chat-cache-keys';

const LocalSession = lazy(() => import('../features/account/local/local-session'));
const ClerkSession = lazy(() => import('../features/account/clerk/clerk-session'));

/** Provides the accounts context. The code of the account provider (local or Clerk) loads lazily, after the page. */
export function AccountsProvider({ children }: { children: ReactNode }) {
  const config = useConfig();
  const queries = useQueryClient();
  const [accounts, setAccounts] = useState<Accounts>(loadingAccounts);
  const lastUserId = useRef<string | null>(null);

  /** Updates the context. If the user changed, first clears the previous user's data, so that no page renders it. */
  const changeAccounts = useCallback(
    (next: Accounts) => {
      const userId = next.user?.id ?? null;
      if (userId !== lastUserId.current) {
        if (userId === null) clearUserData(queries, { keepDrafts: next.signOutReason === 'expired' });
        else {
          if (!drafts.belongTo(userId)) clearUserData(queries);
          drafts.setOwner(userId);
        }
        lastUserId.current = userId;
      }
      setAccounts(next);
    },
    [queries],
  );

  const [loadFailed, setLoadFailed] = useState(false);
  const unreachable = loadFailed || (config.data === undefined && config.failureReason !== null);
  const value = unreachable ? { ...accounts, status: 'error' as const, error: null } : accounts;
  return (
    <AccountsContext value={value}>
      {children}
      <ErrorBoundary FallbackComponent={ProviderLoadError} onError={() => setLoadFailed(true)}>
        <Suspense fallback={null}>
          {config.data?.accounts.provider === 'local' && <LocalSession onChange={changeAccounts} />}
          {config.data?.accounts.provider === 'clerk' && (
            <ClerkSession
              publishableKey={config.data.accounts.publishableKey ?? ''}
              proxyUrl={config.data.accounts.proxyUrl}
              onChange={changeAccounts}
            />
          )}
        </Suspense>
      </ErrorBoundary>
    </AccountsContext>
  );
}

/** Fallback if the provider's code can't be loaded. Renders nothing, since pages show the account status themselves. */
function ProviderLoadError({ error }: FallbackProps) {
  useReloadWhenAvailable(error);
  return null;
}

const publicKeys: unknown[] = [...queryKeys.config, ...queryKeys.session];

/** Clears a user's data from this tab. @param options.keepDrafts true if the session expired: the user may sign in again */
function clearUserData(queries: QueryClient, { keepDrafts = false } = {}): void {
  queries.removeQueries({ predicate: ({ queryKey }) => !publicKeys.includes(queryKey[0]) });
  clearChats();
  if (keepDrafts) return;
  drafts.clearAll();
  void fileDrafts.clearAll();
  void batchFiles.clearAll();
}
