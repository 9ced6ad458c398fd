import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GuessedCodes } from '#libs/contract/account.js';
import { accountRoutes } from '#libs/contract/routes/account.js';
import { useHttp } from '../../../../shared/account/use-http';
import { call } from '../../../../shared/http/call';
import { queryKeys } from '../../../../shared/http/query-keys';
import { formatExact } from '../../../../shared/lib/format';

/** Fetches the last guesses of authenticator codes that the user has not dismissed. */
export function useGuessedCodes() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.guessedCodes,
    queryFn: ({ signal }) => call(http, accountRoutes.getGuessedCodes, { signal }),
    select: ({ guessedCodes }) => guessedCodes,
  });
}

export function useDismissGuessedCodes() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, accountRoutes.dismissGuessedCodes, {}),
    onSuccess: (answer) => queries.setQueryData(queryKeys.guessedCodes, answer),
  });
}

export const GUESSED_TITLE = 'Somebody knows your password';

export const describeGuesses = ({ at, network }: GuessedCodes) =>
  `On ${formatExact(at)}, somebody${network === 'unknown' ? '' : ` at the network address ${network}`} entered your password and then ten wrong codes of your authenticator app. They were not signed in.`;
