import { useMemo } from 'react';
import { useAccounts } from './accounts';
import { createHttp, type Http } from '../http/http';

/** The API client of the signed-in user. */
export function useHttp(): Http {
  const { getToken } = useAccounts();
  return useMemo(() => createHttp(getToken), [getToken]);
}
