import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useAccounts } from '../../../../shared/account/accounts';
import { AuthError } from '../api/auth-call';

/** A mutation of the user's account. After `UNAUTHORIZED`, refreshes the token to detect that the session has ended. */
export function useAccountMutation<D, V = void>(
  options: UseMutationOptions<D, Error, V>,
): UseMutationResult<D, Error, V> {
  const { getToken } = useAccounts();
  return useMutation({
    ...options,
    onError: (error, ...rest) => {
      if (error instanceof AuthError && error.code === 'UNAUTHORIZED')
        void getToken({ fresh: true }).catch(() => undefined);
      return options.onError?.(error, ...rest);
    },
  });
}
