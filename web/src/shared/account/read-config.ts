import { useQuery } from '@tanstack/react-query';
import type { Answer, routes } from '#libs/contract/routes/table.js';
import type { ToolName } from '#libs/tools/catalogue.js';
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

/** The credits that one job of each of these tools costs together on this server; undefined while they load. */
export function useCredits(...names: ToolName[]): number | undefined {
  const tools = useConfig().data?.tools;
  return (
    tools && names.reduce((sum, name) => sum + (tools.find((tool) => tool.name === name)?.credits ?? 0), 0)
  );
}

type GetConfig = (typeof routes)['getConfig'];
const getConfig: [method: GetConfig['method'], path: GetConfig['path']] = ['GET', '/api/config'];
