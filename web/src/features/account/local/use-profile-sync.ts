import { useEffect } from 'react';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import type { Account } from '#libs/contract/account.js';
import { queryKeys } from '../../../shared/http/query-keys';
import type { SignedInUser } from '../../../shared/account/accounts';

/** Keeps the session's profile in sync with the account query, which live events update. */
export function useProfileSync(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        if (event.query.queryHash !== hashKey(queryKeys.account)) return;
        const { profile } = (event.query.state.data ?? {}) as Partial<Account>;
        const user = queries.getQueryData<SignedInUser | null>(queryKeys.session);
        if (profile === undefined || user == null || user.id !== profile.id) return;
        void queries.invalidateQueries({ queryKey: queryKeys.ownSession });
        if (!isSame(user, profile)) queries.setQueryData<SignedInUser>(queryKeys.session, { ...profile });
      }),
    [queries],
  );
}

const isSame = (one: SignedInUser, other: SignedInUser) =>
  one.fullName === other.fullName && one.email === other.email && one.imageUrl === other.imageUrl;
