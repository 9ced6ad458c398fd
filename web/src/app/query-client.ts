import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../shared/http/http';

/** Requests for the same data within this time are one. */
const DEDUPE_MS = 2_000;
/** Coming back to the window asks again at most this often. */
const FOCUS_THROTTLE_MS = 5_000;
const RETRY_MS = 5_000;
const SLOW_RETRY_MS = 10_000;

interface NetworkInformation {
  effectiveType?: string;
  saveData?: boolean;
}

function isSlowConnection(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkInformation };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}

/** Whether the same request may pass later without the user changing anything. */
const mayPassLater = (error: Error) =>
  !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: DEDUPE_MS,
        refetchOnWindowFocus: ({ state }) =>
          Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) > FOCUS_THROTTLE_MS,
        retry: (_failures, error) => mayPassLater(error),
        retryDelay: () => (isSlowConnection() ? SLOW_RETRY_MS : RETRY_MS),
        // A machine without internet still reaches a server on itself.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
