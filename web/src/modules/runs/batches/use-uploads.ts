import { useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { batchRoutes } from '#libs/contract/routes/batches.js';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { useAccounts } from '../../../shared/account/accounts';
import { useHttp } from '../../../shared/account/use-http';
import { batchFiles } from './batch-files';
import type { BatchStore } from './batch-store';
import { BatchUploads } from './batch-uploads';

const LATEST = 20;

/** Loads the latest batches into the store, and goes on sending the pictures that this browser has. */
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
        refresh: async (id) => store.put((await call(http, batchRoutes.getBatch, { params: { id } })).batch),
        alone,
        wait,
      }),
    [http, userId, store],
  );
  useEffect(() => {
    uploads.start();
    const goOn = () => uploads.retryAll();
    window.addEventListener('online', goOn);
    return () => {
      window.removeEventListener('online', goOn);
      uploads.stop();
    };
  }, [uploads]);
  useQuery({
    queryKey: queryKeys.latestBatches,
    queryFn: async ({ signal }) => {
      const { batches } = await call(http, batchRoutes.listBatches, { query: { limit: LATEST }, signal });
      for (const batch of batches) store.put(batch);
      store.flush();
      void uploads.resumeAll();
      return true;
    },
  });
  return uploads;
}

/** Without locks (plain HTTP) two tabs send the same pictures, which makes one job of each. */
const alone = async (name: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work();

async function wait(milliseconds: number, stop: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([stop, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
  clearTimeout(timer);
}
