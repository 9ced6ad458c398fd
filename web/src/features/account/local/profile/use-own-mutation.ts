import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useAccounts } from '../../../../shared/session/accounts';
import { AuthRefusal } from '../api/auth-call';

/** A change of one's own account. When the session turns out to have ended, the page says so. */
export function useOwnMutation<D, V = void>(
  options: UseMutationOptions<D, Error, V>,
): UseMutationResult<D, Error, V> {
  const { getToken } = useAccounts();
  return useMutation({
    ...options,
    onError: (error, ...rest) => {
      if (error instanceof AuthRefusal && error.status === 401)
        void getToken({ fresh: true }).catch(() => undefined);
      return options.onError?.(error, ...rest);
    },
  });
}
