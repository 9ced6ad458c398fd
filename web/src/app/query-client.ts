import { QueryClient } from '@tanstack/react-query';
import { ApiFailure, isTooFast } from '../shared/http/http';

/** Data younger than this is not fetched again when another component needs it. */
const DEDUPE_MS = 2_000;
/** Minimum time between refetches when the window regains the focus. */
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

/** True if a retry may succeed. */
const isRetryable = (error: Error) =>
  !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500 || isTooFast(error);

/** The delay that the server asks for with Retry-After, or else the usual delay. */
function retryDelay(error: Error): number {
  const usual = isSlowConnection() ? SLOW_RETRY_MS : RETRY_MS;
  return error instanceof ApiFailure && error.retryAfterSeconds !== null
    ? error.retryAfterSeconds * 1000
    : usual;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: DEDUPE_MS,
        refetchOnWindowFocus: ({ state }) =>
          Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) > FOCUS_THROTTLE_MS,
        retry: (_failures, error) => isRetryable(error),
        retryDelay: (_failures, error) => retryDelay(error),
        // Also send requests when the browser is offline, since the server may run on the same machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
