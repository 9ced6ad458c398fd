import { useQuery } from '@tanstack/react-query';
import { accountRoutes } from '#libs/contract/routes/account.js';
import { call } from '../http/call';
import { queryKeys } from '../http/query-keys';
import { useHttp } from './use-http';

/** Plan, credits and profile. The `account` event of the socket updates it. */
export function useAccount() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.account,
    queryFn: ({ signal }) => call(http, accountRoutes.getAccount, { signal }),
  });
}
