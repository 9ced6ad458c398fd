import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  adminJobsQuerySchema,
  adminUsersQuerySchema,
  AuditFilter,
  BulkAct,
  CostsQuery,
  DeletionReceipt,
  JobFilter,
  ModerationQuery,
} from '#libs/contract/admin.js';
import type { QueueName } from '#libs/contract/jobs.js';
import type { Plan, UserLimits } from '#libs/contract/account.js';
import { adminRoutes } from '#libs/contract/routes/admin.js';
import type { RouteBody } from '#libs/contract/routes/table.js';
import { useHttp } from '../../shared/account/use-http';
import { useIdempotentCall } from '../../modules/runs/jobs/idempotency';
import { call, callOnce, readFile } from '../../shared/http/call';
import { queryKeys } from '../../shared/http/query-keys';
import { useLiveUpdates } from './live-updates';

export type JobsQuery = z.input<typeof adminJobsQuerySchema>;
export type UsersQuery = z.input<typeof adminUsersQuerySchema>;

const REFRESH_MS = 3_000;
/** Lists and stories change less than queues. */
const SLOW_REFRESH_MS = 6_000;

/** The interval of a query's live updates, which end with an error that is not retried. */
function useRefresh(milliseconds: number) {
  const { isLive } = useLiveUpdates();
  return ({ state }: { state: { status: string } }) => isLive && state.status !== 'error' && milliseconds;
}

/** Like {@link useRefresh} for a list, of which only the first page is read again. */
function useListRefresh() {
  const refresh = useRefresh(SLOW_REFRESH_MS);
  return (query: { state: { status: string; data?: { pages: unknown[] } | undefined } }) =>
    (query.state.data?.pages.length ?? 0) < 2 && refresh(query);
}

/** @param live false to read it once */
export function useOverview({ live }: { live: boolean }) {
  const http = useHttp();
  const refresh = useRefresh(REFRESH_MS);
  return useQuery({
    queryKey: queryKeys.admin.overview,
    queryFn: ({ signal }) => call(http, adminRoutes.adminOverview, { signal }),
    refetchInterval: live && refresh,
  });
}

export function useJobs(query: JobsQuery) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.admin.jobs(query),
    queryFn: ({ signal, pageParam }) =>
      call(http, adminRoutes.adminJobs, { query: { ...query, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: useListRefresh(),
    placeholderData: keepPreviousData,
  });
}

export function useJobStory(id: string) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.admin.job(id),
    queryFn: async ({ signal }) => (await call(http, adminRoutes.adminJob, { params: { id }, signal })).job,
    refetchInterval: useRefresh(SLOW_REFRESH_MS),
  });
}

export function useUsers(query: UsersQuery) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.admin.users(query),
    queryFn: ({ signal, pageParam }) =>
      call(http, adminRoutes.adminUsers, { query: { ...query, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: useListRefresh(),
    placeholderData: keepPreviousData,
  });
}

export function useUserDetails(id: string) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.admin.user(id),
    queryFn: async ({ signal }) => (await call(http, adminRoutes.adminUser, { params: { id }, signal })).user,
    refetchInterval: useRefresh(SLOW_REFRESH_MS),
  });
}

const AUDIT_PAGE = 50;

export function useAuditLog(query: AuditFilter) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.admin.audit(query),
    queryFn: async ({ signal, pageParam }) =>
      (
        await call(http, adminRoutes.adminAudit, {
          query: { ...query, before: pageParam ?? undefined, limit: AUDIT_PAGE },
          signal,
        })
      ).entries,
    initialPageParam: null as number | null,
    getNextPageParam: (entries) => (entries.length < AUDIT_PAGE ? null : entries.at(-1)!.id),
    refetchInterval: useListRefresh(),
    placeholderData: keepPreviousData,
  });
}

export function useCosts(query: CostsQuery) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.admin.costs(query),
    queryFn: async ({ signal }) => (await call(http, adminRoutes.adminCosts, { query, signal })).costs,
    refetchInterval: useRefresh(SLOW_REFRESH_MS),
  });
}

export function useBudgets() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.admin.budgets,
    queryFn: ({ signal }) => call(http, adminRoutes.adminBudgets, { signal }),
    refetchInterval: useRefresh(SLOW_REFRESH_MS),
  });
}

export function useReports(query: Pick<ModerationQuery, 'show' | 'id'>) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.admin.reports(query),
    queryFn: ({ signal, pageParam }) =>
      call(http, adminRoutes.adminReports, { query: { ...query, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: useListRefresh(),
    placeholderData: keepPreviousData,
  });
}

export function useAuditCsv() {
  const http = useHttp();
  return useMutation({
    mutationFn: (query: AuditFilter) => readFile(http, adminRoutes.adminAuditCsv, { query }),
  });
}

export function useCountJobs() {
  const http = useHttp();
  return useMutation({
    mutationFn: (query: JobFilter & Pick<BulkAct, 'action'>) =>
      call(http, adminRoutes.adminCountJobs, { query }),
  });
}

/**
 * An act of an operator; everything that the page shows is read again afterwards.
 * @param onSuccess is also called if the component that acts is no longer shown
 */
function useAct<Input, Output>(
  act: (input: Input, http: ReturnType<typeof useHttp>) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(input, http),
    onSuccess,
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.admin.all }),
  });
}

export const useChangeQueue = (action: 'pause' | 'resume') =>
  useAct(({ queue, reason }: { queue: QueueName; reason: string }, http) =>
    call(http, action === 'pause' ? adminRoutes.adminPauseQueue : adminRoutes.adminResumeQueue, {
      params: { queue },
      body: { reason },
    }),
  );

interface Target {
  id: string;
  reason: string;
}
export const useCancelJob = () =>
  useAct(({ id, reason }: Target, http) =>
    call(http, adminRoutes.adminCancelJob, { params: { id }, body: { reason } }),
  );
/** A repeated click retries once (see idempotency.ts). */
export function useRetryJob() {
  const callIdempotently = useIdempotentCall();
  return useAct(({ id, ...body }: Target & { input?: Record<string, unknown> }, http) =>
    callIdempotently(JSON.stringify({ id, input: body.input }), {}, (key) =>
      callOnce(http, adminRoutes.adminRetryJob, key, { params: { id }, body }),
    ),
  );
}
export const useRevealJob = () =>
  useAct(({ id, reason }: Target, http) =>
    call(http, adminRoutes.adminRevealJob, { params: { id }, body: { reason } }),
  );
export const useRevealJobFile = () =>
  useAct(({ id, field, reason }: Target & { field: string }, http) =>
    readFile(http, adminRoutes.adminRevealJobFile, { params: { id, field }, body: { reason } }),
  );
export const useActOnJobs = () =>
  useAct((body: BulkAct, http) => call(http, adminRoutes.adminActOnJobs, { body }));

export const useRevealCreation = () =>
  useAct(({ id, reason }: Target, http) =>
    call(http, adminRoutes.adminRevealCreation, { params: { id }, body: { reason } }),
  );

export type Decision = RouteBody<'adminDecide'>['decision'];

export const useDecide = () =>
  useAct(({ id, ...body }: Target & { decision: Decision }, http) =>
    call(http, adminRoutes.adminDecide, { params: { id }, body }),
  );

export type UserAct =
  | { kind: 'suspend' | 'unsuspend' | 'sign-out' }
  | { kind: 'plan'; plan: Plan }
  | { kind: 'credits'; amount: number }
  | { kind: 'limits'; limits: UserLimits | null }
  | { kind: 'revoke'; key: string };

/** A repeated click gives credits once (see idempotency.ts). */
export function useActOnUser() {
  const callIdempotently = useIdempotentCall();
  return useAct(({ id, reason, act }: { id: string; reason: string; act: UserAct }, http) => {
    const params = { id };
    const body = { reason };
    switch (act.kind) {
      case 'suspend':
        return call(http, adminRoutes.adminSuspendUser, { params, body });
      case 'unsuspend':
        return call(http, adminRoutes.adminUnsuspendUser, { params, body });
      case 'sign-out':
        return call(http, adminRoutes.adminSignOutUser, { params, body });
      case 'plan':
        return call(http, adminRoutes.adminSetPlan, { params, body: { ...body, plan: act.plan } });
      case 'credits':
        return callIdempotently(JSON.stringify({ id, act }), {}, (key) =>
          callOnce(http, adminRoutes.adminGiveCredits, key, {
            params,
            body: { ...body, amount: act.amount },
          }),
        );
      case 'limits':
        return call(http, adminRoutes.adminSetLimits, { params, body: { ...body, limits: act.limits } });
      case 'revoke':
        return call(http, adminRoutes.adminRevokeKey, { params: { id, key: act.key }, body });
    }
  });
}

export const useDeleteUser = (onDeleted: (receipt: DeletionReceipt) => void) =>
  useAct(
    ({ id, ...body }: { id: string; reason: string; confirm: string }, http) =>
      call(http, adminRoutes.adminDeleteUser, { params: { id }, body }),
    ({ receipt }) => onDeleted(receipt),
  );
