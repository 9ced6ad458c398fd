import { useQuery } from '@tanstack/react-query';
import type { Answer, routes } from '#libs/contract/routes/table.js';
import { publicHttp, readBody } from '../http/http';
import { queryKeys } from '../http/query-keys';

/**
 * Fetches the public configuration. It changes when the server restarts, or finds that its AI service lacks a model for
 * pictures. The response is not validated, so that the start page doesn't load zod.
 */
export function useConfig() {
  return useQuery({
    queryKey: queryKeys.config,
    queryFn: async ({ signal }) =>
      (await readBody(await publicHttp.send(...getConfig, { signal }))) as Answer<'getConfig'>,
    staleTime: Infinity,
  });
}

type GetConfig = (typeof routes)['getConfig'];
const getConfig: [method: GetConfig['method'], path: GetConfig['path']] = ['GET', '/api/config'];
