import { useEffect } from 'react';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import type { Account } from '#libs/contract/account.js';
import { queryKeys } from '../../api/query-keys';
import type { SignedInUser } from '../accounts';

/** Takes over the profile that the API tells, by an answer or a live event: changed in one tab, it is so in all. */
export function useProfileNews(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        if (type !== 'updated' || query.queryHash !== hashKey(queryKeys.account)) return;
        const { profile } = (query.state.data ?? {}) as Partial<Account>;
        const user = queries.getQueryData<SignedInUser | null>(queryKeys.session);
        if (profile === undefined || user == null || user.id !== profile.id || isSame(user, profile)) return;
        queries.setQueryData<SignedInUser>(queryKeys.session, { ...profile });
        void queries.invalidateQueries({ queryKey: queryKeys.ownSession });
      }),
    [queries],
  );
}

const isSame = (one: SignedInUser, other: SignedInUser) =>
  one.fullName === other.fullName && one.email === other.email && one.imageUrl === other.imageUrl;
