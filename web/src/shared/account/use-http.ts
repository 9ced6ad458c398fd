import { useMemo } from 'react';
import { useAccounts } from './accounts';
import { createHttp, type Http } from '../http/http';

export function useHttp(): Http {
  const { getToken } = useAccounts();
  return useMemo(() => createHttp(getToken), [getToken]);
}
