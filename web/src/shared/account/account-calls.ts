import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Plan } from '#libs/contract/account.js';
import { accountRoutes } from '#libs/contract/routes/account.js';
import { call } from '../http/call';
import { queryKeys } from '../http/query-keys';
import { useConfig } from './read-config';
import { useHttp } from './use-http';

/** Fetches the user's plan, credits and profile. The socket's `account` event updates the query's data. */
export function useAccount() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.account,
    queryFn: ({ signal }) => call(http, accountRoutes.getAccount, { signal }),
  });
}

/** Fetches the user's subscription, if the server sells the premium plan. Refetched with the socket's `account` event. */
export function useSubscription() {
  const http = useHttp();
  const payment = useConfig().data?.accounts.payment ?? null;
  return useQuery({
    queryKey: queryKeys.subscription,
    queryFn: ({ signal }) => call(http, accountRoutes.getSubscription, { signal }),
    enabled: payment !== null,
    select: ({ subscription }) => subscription,
  });
}

/** Switches the user's plan for trial, without payment. Fails if the server doesn't allow trials. */
export function useSetPlan() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (plan: Plan) => call(http, accountRoutes.setPlan, { body: { plan } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.account }),
  });
}
