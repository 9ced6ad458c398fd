import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useConfig } from '../api/read-config';
import { AccountsContext, loadingAccounts, type Accounts } from './accounts';
import { forgetPerson } from './forget-person';

const LocalSession = lazy(() => import('./local/local-session'));

/** Gives the page its accounts; the provider's own code is loaded beside the page, never before it. */
export function AccountsProvider({ children }: { children: ReactNode }) {
  const config = useConfig();
  const queries = useQueryClient();
  const [accounts, setAccounts] = useState<Accounts>(loadingAccounts);
  const userId = accounts.user?.id ?? null;
  const [knownUser, setKnownUser] = useState<string | null>(null);

  // What one person saw must not be there for the next.
  useEffect(() => {
    if (knownUser !== null && knownUser !== userId) forgetPerson(queries);
    setKnownUser(userId);
  }, [knownUser, userId, queries]);

  const unreachable = config.data === undefined && config.failureReason !== null;
  const value = unreachable ? { ...accounts, status: 'error' as const } : accounts;
  return (
    <AccountsContext value={value}>
      {children}
      <Suspense fallback={null}>
        {config.data?.accounts.provider === 'local' && <LocalSession onChange={setAccounts} />}
      </Suspense>
    </AccountsContext>
  );
}
