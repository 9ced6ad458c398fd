import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '#libs/contract/account.js';
import { readJob } from '../../modules/runs/jobs/read-job';
import { queryKeys } from '../../shared/http/query-keys';
import { refreshCreations } from '../../modules/creations/api/refresh-creations';
import { useHttp } from '../../shared/account/use-http';
import { useAccounts } from '../../shared/account/accounts';
import { connectEvents } from './connect-events';
import { JobStore } from '../../modules/runs/jobs/job-store';
import { JobsContext } from '../../modules/runs/jobs/jobs-context';
import { oncePerFrame } from '../../modules/runs/jobs/once-per-frame';
import { BatchesContext, createBatchStore } from '../../modules/runs/batches/batches-context';
import { useUploads } from '../../modules/runs/batches/use-uploads';
import { putFlow, useLatestFlows } from '../../modules/runs/flows/flow-cache';

/** A program may change many creations in a row. */
const CREATIONS_REREAD_MS = 500;

export function JobsProvider({ children }: { children: ReactNode }) {
  const { getToken } = useAccounts();
  const http = useHttp();
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  const store = useMemo(
    () => new JobStore({ fetch: (id) => readJob(http, id), wait: delay, schedule: oncePerFrame() }),
    [http],
  );

  const batches = useMemo(createBatchStore, []);
  const uploads = useUploads(batches);
  useLatestFlows();

  useEffect(() => {
    const rereadCreations = atMostEvery(CREATIONS_REREAD_MS, (ids: string[]) => {
      void refreshCreations(queries, http, ids);
      void queries.invalidateQueries({ queryKey: queryKeys.published });
    });
    const disconnect = connectEvents({
      getToken,
      store,
      batches,
      onAccount: (account) => {
        const previous = queries.getQueryData<Account>(queryKeys.account);
        queries.setQueryData(queryKeys.account, account);
        // The cached token contains the old plan.
        if (previous !== undefined && previous.plan !== account.plan)
          getToken({ fresh: true }).catch(() => undefined);
      },
      onFlow: (flow) => void putFlow(queries, flow),
      onCreationChanged: rereadCreations.call,
      onSearchesChanged: () => void queries.invalidateQueries({ queryKey: queryKeys.savedSearches }),
      onConnected: (isAgain) => {
        void queries.invalidateQueries({ queryKey: queryKeys.account });
        // Of a page that is opened, only what it read a while before its connection.
        if (!isAgain) return void queries.invalidateQueries({ stale: true });
        void queries.invalidateQueries({ queryKey: queryKeys.jobs });
        void queries.invalidateQueries({ queryKey: queryKeys.batches });
        void queries.invalidateQueries({ queryKey: queryKeys.flows });
        uploads.retryAll();
        void refreshCreations(queries, http);
      },
      onConnection: setConnected,
    });
    return () => {
      rereadCreations.stop();
      disconnect();
    };
  }, [getToken, store, batches, uploads, queries, http]);

  useEffect(
    () =>
      store.onEnd(() => {
        void refreshCreations(queries, http);
        void queries.invalidateQueries({ queryKey: queryKeys.account });
      }),
    [store, queries, http],
  );

  useEffect(() => batches.onEnd(() => void refreshCreations(queries, http)), [batches, queries, http]);

  const value = useMemo(() => ({ store, connected }), [store, connected]);
  const batchesValue = useMemo(() => ({ store: batches, uploads }), [batches, uploads]);
  return (
    <JobsContext value={value}>
      <BatchesContext value={batchesValue}>{children}</BatchesContext>
    </JobsContext>
  );
}

/** Many calls within this time become one at its end, with all of their ids. */
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
