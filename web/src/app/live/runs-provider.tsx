import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '#libs/contract/account.js';
import { refreshCreations } from '../../modules/creations/api/refresh-creations';
import { useUploads } from '../../modules/runs/batches/use-uploads';
import { readJob } from '../../modules/runs/jobs/job-calls';
import { useLatestRuns } from '../../modules/runs/lists/run-calls';
import { flowKind } from '../../modules/runs/lists/run-kinds';
import { BatchStore } from '../../modules/runs/state/batch-store';
import { FlowStore } from '../../modules/runs/state/flow-store';
import { JobStore } from '../../modules/runs/state/job-store';
import { oncePerFrame } from '../../modules/runs/state/once-per-frame';
import { RunsContext } from '../../modules/runs/state/runs-context';
import { useAccounts } from '../../shared/account/accounts';
import { useHttp } from '../../shared/account/use-http';
import { queryKeys } from '../../shared/http/query-keys';
import { connectEvents } from './connect-events';

/** Delay that combines changes of batches into one render, since a batch's jobs can change many times a second. */
const BATCH_FLUSH_MS = 250;
/** Delay that combines changes of creations into one refetch, since API clients may change many in a row. */
const CREATIONS_REREAD_MS = 500;

/** Provides the stores of the user's jobs, batches and flows, and the socket that updates them. */
export function RunsProvider({ children }: { children: ReactNode }) {
  const { getToken } = useAccounts();
  const http = useHttp();
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  const jobs = useMemo(
    () => new JobStore({ fetch: (id) => readJob(http, id), wait: delay, schedule: oncePerFrame() }),
    [http],
  );
  const batches = useMemo(() => new BatchStore((flush) => void setTimeout(flush, BATCH_FLUSH_MS)), []);
  const flows = useMemo(() => new FlowStore(oncePerFrame()), []);
  const uploads = useUploads(batches);
  useLatestRuns(flowKind, flows);

  useEffect(() => {
    const rereadCreations = atMostEvery(CREATIONS_REREAD_MS, (ids: string[]) => {
      void refreshCreations(queries, http, ids);
      void queries.invalidateQueries({ queryKey: queryKeys.published });
    });
    const disconnect = connectEvents({
      getToken,
      jobs,
      batches,
      flows,
      onAccount: (account) => {
        const previous = queries.getQueryData<Account>(queryKeys.account);
        queries.setQueryData(queryKeys.account, account);
        void queries.invalidateQueries({ queryKey: queryKeys.subscription });
        void queries.invalidateQueries({ queryKey: queryKeys.guessedCodes });
        // The cached token contains the old plan, so fetch a new token.
        if (previous !== undefined && previous.plan !== account.plan)
          getToken({ fresh: true }).catch(() => undefined);
      },
      onCreationChanged: rereadCreations.call,
      onSearchesChanged: () => void queries.invalidateQueries({ queryKey: queryKeys.savedSearches }),
      onNotebooksChanged: () => void queries.invalidateQueries({ queryKey: queryKeys.notebooks.all }),
      onConnected: (isAgain) => {
        void queries.invalidateQueries({ queryKey: queryKeys.account });
        // On the first connection, data has just been loaded, so refetch only stale queries.
        if (!isAgain) return void queries.invalidateQueries({ stale: true });
        void queries.invalidateQueries({ queryKey: queryKeys.jobs });
        void queries.invalidateQueries({ queryKey: queryKeys.batches.all });
        void queries.invalidateQueries({ queryKey: queryKeys.flows.all });
        void queries.invalidateQueries({ queryKey: queryKeys.notebooks.all });
        uploads.retryAll();
        void refreshCreations(queries, http);
      },
      onConnection: setConnected,
    });
    return () => {
      rereadCreations.stop();
      disconnect();
    };
  }, [getToken, jobs, batches, flows, uploads, queries, http]);

  useEffect(
    () =>
      jobs.onEnd(() => {
        void refreshCreations(queries, http);
        void queries.invalidateQueries({ queryKey: queryKeys.account });
      }),
    [jobs, queries, http],
  );

  useEffect(() => batches.onEnd(() => void refreshCreations(queries, http)), [batches, queries, http]);

  const value = useMemo(
    () => ({ jobs, batches, flows, uploads, connected }),
    [jobs, batches, flows, uploads, connected],
  );
  return <RunsContext value={value}>{children}</RunsContext>;
}

/** Returns a function that collects IDs. The first call starts a timer, after which `work` gets all collected IDs. */
function atMostEvery(milliseconds: number, work: (ids: string[]) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<string>();
  return {
    call: (ids: readonly string[]) => {
      for (const id of ids) waiting.add(id);
      timer ??= setTimeout(() => {
        timer = undefined;
        const all = [...waiting];
        waiting.clear();
        work(all);
      }, milliseconds);
    },
    stop: () => clearTimeout(timer),
  };
}

const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
