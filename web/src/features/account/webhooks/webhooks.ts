import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { webhookRoutes } from '#libs/contract/routes/webhooks.js';
import type { ChangeWebhook, NewWebhook, WebhookDelivery } from '#libs/contract/webhooks.js';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';

/** Interval at which the log is fetched while a request is about to be sent. */
const REREAD_MS = 2_000;
const SOON_MS = 10_000;

/** The user's webhooks, newest first. */
export function useWebhooks() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.webhooks,
    queryFn: async ({ signal }) => (await call(http, webhookRoutes.listWebhooks, { signal })).webhooks,
  });
}

export function useCreateWebhook() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewWebhook) => call(http, webhookRoutes.createWebhook, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.webhooks }),
  });
}

export function useChangeWebhook(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeWebhook) => call(http, webhookRoutes.changeWebhook, { params: { id }, body }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.webhooks }),
        queries.invalidateQueries({ queryKey: queryKeys.webhookDeliveries(id) }),
      ]),
  });
}

export function useRotateSecret(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, webhookRoutes.rotateWebhookSecret, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.webhooks }),
  });
}

export function useDeleteWebhook(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, webhookRoutes.deleteWebhook, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.webhooks }),
  });
}

/** The deliveries of a webhook, newest first, page by page. */
export function useDeliveries(id: string) {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: queryKeys.webhookDeliveries(id),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(http, webhookRoutes.listWebhookDeliveries, {
        params: { id },
        query: { cursor: pageParam || undefined },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(isSentSoon)) ? REREAD_MS : false,
  });
}

const isSentSoon = ({ nextAttemptAt }: WebhookDelivery) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS;

/** A delivery with its requests and answers. @param attempts fetched again when this number changes */
export function useDelivery(id: string, deliveryId: string, attempts: number) {
  const http = useHttp();
  return useQuery({
    queryKey: [...queryKeys.webhookDelivery(id, deliveryId), attempts],
    queryFn: async ({ signal }) =>
      (await call(http, webhookRoutes.getWebhookDelivery, { params: { id, deliveryId }, signal })).delivery,
  });
}

export function useSendTest(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, webhookRoutes.testWebhook, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.webhookDeliveries(id) }),
  });
}

export function useResend(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      call(http, webhookRoutes.resendWebhookDelivery, { params: { id, deliveryId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.webhookDeliveries(id) }),
  });
}
