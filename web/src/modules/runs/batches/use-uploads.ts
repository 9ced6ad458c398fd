import { useEffect, useMemo } from 'react';
import { batchRoutes } from '#libs/contract/routes/batches.js';
import { call } from '../../../shared/http/call';
import { useAccounts } from '../../../shared/account/accounts';
import { useHttp } from '../../../shared/account/use-http';
import { useLatestRuns } from '../lists/run-calls';
import { batchKind } from '../lists/run-kinds';
import { batchFiles } from '../state/batch-files';
import type { BatchStore } from '../state/batch-store';
import { BatchUploads } from '../state/batch-uploads';

/** Fetches the latest batches into the store, then resumes uploads that a reload or a closed tab interrupted. */
export function useUploads(store: BatchStore): BatchUploads {
  const http = useHttp();
  const userId = useAccounts().user?.id ?? '';
  const uploads = useMemo(
    () =>
      new BatchUploads({
        userId,
        store,
        files: batchFiles,
        send: async (id, n, file) => {
          const body = new FormData();
          body.append('image', file);
          return (await call(http, batchRoutes.sendBatchItem, { params: { id, n }, body })).item;
        },
        refresh: async (id) => store.put(await batchKind.read(http, id)),
        withLock,
        wait,
      }),
    [http, userId, store],
  );
  useEffect(() => {
    uploads.start();
    const resume = () => uploads.retryAll();
    window.addEventListener('online', resume);
    return () => {
      window.removeEventListener('online', resume);
      uploads.stop();
    };
  }, [uploads]);
  useLatestRuns(batchKind, store, () => void uploads.resumeAll());
  return uploads;
}

/**
 * On plain HTTP, browsers have no locks, so two tabs may upload the same picture. The server creates only one job for it.
 */
const withLock = async (name: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work();

async function wait(milliseconds: number, stop: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([stop, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
  clearTimeout(timer);
}
