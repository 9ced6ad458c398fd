import { useEffect, useEffectEvent } from 'react';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Flow } from '#libs/contract/flows.js';
import { flowRoutes } from '#libs/contract/routes/flows.js';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';

const LATEST = 20;

const endListeners = new Set<(flow: Flow) => void>();
const seenOpen = new Set<string>();

/** Whether it was at work while this page is open. */
export const wasOpen = (id: string) => seenOpen.has(id);

/** Of what is known of a flow and what is given, the newer. */
export const newer = (one: Flow | undefined, other: Flow) =>
  one !== undefined && one.revision > other.revision ? one : other;

/** Stores what an event or an answer says. An older revision changes nothing. */
export function putFlow(queries: QueryClient, given: Flow): Flow {
  const { id } = given;
  const flows = queries.getQueryData<readonly Flow[]>(queryKeys.latestFlows) ?? [];
  const before = flows.find((flow) => flow.id === id);
  const flow = newer(before, given);
  const others = flows.filter((other) => other.id !== id);
  queries.setQueryData(
    queryKeys.latestFlows,
    [flow, ...others].sort((one, other) => other.createdAt.localeCompare(one.createdAt)),
  );
  queries.setQueryData<Flow>(queryKeys.flow(id), (known) => known && newer(known, flow));
  if (flow.status === 'open') seenOpen.add(id);
  else if (before?.status === 'open' && flow.status !== 'cancelled')
    for (const listener of endListeners) listener(flow);
  return flow;
}

/** Calls the listener for each known flow that ends, or stops at a step that failed. */
export function useFlowEnds(onEnd: (flow: Flow) => void): void {
  const listener = useEffectEvent(onEnd);
  useEffect(() => {
    const onEnded = (flow: Flow) => listener(flow);
    endListeners.add(onEnded);
    return () => void endListeners.delete(onEnded);
  }, []);
}

function useLatest(enabled: boolean) {
  const http = useHttp();
  const queries = useQueryClient();
  return useQuery<readonly Flow[]>({
    queryKey: queryKeys.latestFlows,
    queryFn: async ({ signal }) => {
      const { flows } = await call(http, flowRoutes.listFlows, { query: { limit: LATEST }, signal });
      return flows.map((flow) => putFlow(queries, flow));
    },
    enabled,
  });
}

/** Loads the latest flows, for the tray. */
export const useLatestFlows = () => void useLatest(true);

const none: readonly Flow[] = [];

/** The flows that this tab knows, newest first. */
export const useFlows = (): readonly Flow[] => useLatest(false).data ?? none;
