import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '#libs/contract/account.js';
import { readJob } from './read-job';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';
import { useAccounts } from '../session/accounts';
import { connectLive } from './connect';
import { JobStore } from './job-store';
import { LiveContext } from './live-context';

/** Live state of one signed-in user: the job store and the connection that feeds it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { getToken } = useAccounts();
  const http = useHttp();
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  const store = useMemo(
    () => new JobStore({ read: (id) => readJob(http, id), wait: delay, schedule: nextFrame }),
    [http],
  );

  useEffect(
    () =>
      connectLive({
        getToken,
        store,
        onAccount: (account) => {
          const known = queries.getQueryData<Account>(queryKeys.account);
          queries.setQueryData(queryKeys.account, account);
          // The token at hand may still tell of the other plan.
          if (known !== undefined && known.plan !== account.plan)
            getToken({ fresh: true }).catch(() => undefined);
        },
        onReconnected: () => {
          void queries.invalidateQueries({ queryKey: queryKeys.account });
          void queries.invalidateQueries({ queryKey: queryKeys.jobs });
          void queries.invalidateQueries({ queryKey: queryKeys.creations });
        },
        onConnection: setConnected,
      }),
    [getToken, store, queries],
  );

  useEffect(
    () =>
      store.onEnd(() => {
        void queries.invalidateQueries({ queryKey: queryKeys.creations });
        void queries.invalidateQueries({ queryKey: queryKeys.account });
      }),
    [store, queries],
  );

  const live = useMemo(() => ({ store, connected }), [store, connected]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A hidden tab has no frames; it still keeps up. */
function nextFrame(callback: () => void): void {
  if (document.hidden) setTimeout(callback, 100);
  else requestAnimationFrame(callback);
}
