import { useMemo } from 'react';
import { useAccounts } from '../session/accounts';
import { createHttp, type Http } from './http';

/** The API as the signed-in user. */
export function useHttp(): Http {
  const { getToken } = useAccounts();
  return useMemo(() => createHttp(getToken), [getToken]);
}
