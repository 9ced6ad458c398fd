import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ChangeApiKey, KeyScope, newApiKeySchema } from '#libs/contract/api-keys.js';
import { apiKeyRoutes } from '#libs/contract/routes/api-keys.js';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';

export type NewApiKeyInput = z.input<typeof newApiKeySchema>;

/** The user's API keys with their use this month, newest first. */
export function useApiKeys() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: async ({ signal }) => (await call(http, apiKeyRoutes.listApiKeys, { signal })).keys,
  });
}

export function useCreateApiKey() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewApiKeyInput) => call(http, apiKeyRoutes.createApiKey, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  });
}

/** Allows an app that signs in through Clerk. */
export function useAllowApp() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ clientId, ...body }: { clientId: string; scopes: KeyScope[] }) =>
      call(http, apiKeyRoutes.allowApp, { params: { clientId }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  });
}

export function useChangeApiKey() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ChangeApiKey & { id: string }) =>
      call(http, apiKeyRoutes.changeApiKey, { params: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  });
}

export function useRevokeApiKey() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(http, apiKeyRoutes.revokeApiKey, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  });
}
