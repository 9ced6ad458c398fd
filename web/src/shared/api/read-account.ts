import { useQuery } from '@tanstack/react-query';
import { accountSchema } from '#libs/contract/account.js';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

/** Plan, credits and profile. The `account` event of the socket updates it. */
export function useAccount() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.account,
    queryFn: ({ signal }) => http.get('/api/user/account', accountSchema, { signal }),
  });
}
