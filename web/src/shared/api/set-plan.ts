import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Plan } from '#libs/contract/account.js';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

/** Switches the plan for trial. The server may not allow it. */
export function useSetPlan() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (plan: Plan) => http.post('/api/user/plan', z.object({}), { body: { plan } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.account }),
  });
}
