import { Link, useSearchParams } from 'react-router-dom';
import { queryKeys } from '../../shared/http/query-keys';
import { formatDate } from '../../shared/lib/format';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { paths } from '../../shared/paths';
import { FieldFrame } from '../../shared/ui/field-frame';
import { PageHeading } from '../../shared/ui/page-heading';
import { PagedList } from '../../shared/ui/paged-list';
import { SearchBox } from '../../shared/ui/search-box';
import { Select } from '../../shared/ui/select';
import { useUsers, type UsersQuery } from './admin-api';
import { ListNotice } from './query-panel';

const choices = {
  '': {},
  free: { plan: 'free' },
  premium: { plan: 'premium' },
  suspended: { suspended: 'true' },
} satisfies Record<string, UsersQuery>;

export default function AdminUsersPage() {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const chosen = parameters.get('show') ?? '';
  const query: UsersQuery = {
    search: parameters.get('search') ?? undefined,
    ...(Object.hasOwn(choices, chosen) ? choices[chosen as keyof typeof choices] : {}),
  };
  const users = useUsers(query);
  return (
    <>
      <PageHeading>Users</PageHeading>
      <div className="mb-6 grid gap-4 sm:grid-cols-[1fr_16rem] sm:items-end">
        <SearchBox
          label="Name, email or id"
          placeholder="Name, email or id"
          value={query.search ?? ''}
          onChange={(search) => change({ search: search || null })}
        />
        <FieldFrame id="user-filter" label="Show">
          <Select
            id="user-filter"
            value={chosen}
            onChange={({ currentTarget }) => change({ show: currentTarget.value || null })}
          >
            <option value="">all</option>
            <option value="free">free plan</option>
            <option value="premium">premium plan</option>
            <option value="suspended">suspended</option>
          </Select>
        </FieldFrame>
      </div>
      <ListNotice query={users} />
      <PagedList
        pages={users}
        queryKey={queryKeys.admin.users(query)}
        what="the users"
        empty={<p className="text-quiet">There are no such users.</p>}
        rows={(users.data?.pages ?? [])
          .flatMap(({ users: page }) => page)
          .map(({ id, name, email, plan, role, createdAt, suspendedAt, creations }) => (
            <li key={id} className="relative border-b border-line py-3 hover:bg-tint">
              <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
                <p className="min-w-0 wrap-anywhere">
                  <Link to={paths.adminUser(id)} className="font-semibold after:absolute after:inset-0">
                    <bdi>{name}</bdi>
                  </Link>{' '}
                  <span className="text-sm text-quiet">{email ?? id}</span>
                </p>
                <p className="text-sm text-quiet">
                  {suspendedAt && <span className="font-semibold text-danger">suspended · </span>}
                  {role === 'admin' && 'operator · '}
                  {plan} · {creations} {creations === 1 ? 'creation' : 'creations'} · since{' '}
                  {formatDate(createdAt)}
                </p>
              </div>
            </li>
          ))}
      />
    </>
  );
}
