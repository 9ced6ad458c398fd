import { Suspense, type ReactNode } from 'react';
import clsx from 'clsx';
import { NavLink, Outlet } from 'react-router-dom';
import { useAccount } from '../../shared/account/account-calls';
import { useAccounts } from '../../shared/account/accounts';
import { ApiFailure } from '../../shared/http/http';
import { paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { Loading } from '../../shared/ui/spinner';
import { Switch } from '../../shared/ui/switch';
import { useOverview } from './admin-api';
import { LiveUpdatesProvider, useLiveUpdates } from './live-updates';
import { QueryPanel } from './query-panel';

const sections = [
  { to: paths.admin, label: 'Overview', end: true },
  { to: paths.adminJobs, label: 'Jobs' },
  { to: paths.adminUsers, label: 'Users' },
  { to: paths.adminReports, label: 'Reports' },
  { to: paths.adminCosts, label: 'Costs' },
  { to: paths.adminAudit, label: 'Audit log' },
];

/** Layout of the pages for operators. Others get the server's refusal. */
export default function AdminLayout() {
  return (
    <LiveUpdatesProvider>
      <OperatorsOnly>
        <nav
          aria-label="Administration"
          className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line"
        >
          <ul className="flex flex-wrap gap-x-6">
            {sections.map(({ to, label, end }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end={end}
                  className={({ isActive }) =>
                    clsx(
                      '-mb-px inline-flex min-h-11 items-center justify-center border-b-2 touch:min-w-11',
                      isActive
                        ? 'border-accent font-semibold'
                        : 'border-transparent text-quiet hover:text-ink',
                    )
                  }
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
          <div className="ml-auto">
            <LiveSwitch />
          </div>
        </nav>
        <Suspense fallback={<Loading label="Loading the page" />}>
          <Outlet />
        </Suspense>
      </OperatorsOnly>
    </LiveUpdatesProvider>
  );
}

function LiveSwitch() {
  const { isLive, setLive } = useLiveUpdates();
  return <Switch label="Live updates" checked={isLive} onChange={setLive} />;
}

function OperatorsOnly({ children }: { children: ReactNode }) {
  const account = useAccount();
  if (account.data?.role === 'admin') return <AllowedByServer>{children}</AllowedByServer>;
  return (
    <QueryPanel query={account} what="your account">
      {() => (
        <Notice tone="note" title="For operators">
          This part is for those who run this server.
        </Notice>
      )}
    </QueryPanel>
  );
}

/** The server may require a second factor of operators. */
function AllowedByServer({ children }: { children: ReactNode }) {
  const { openProfile } = useAccounts();
  const overview = useOverview({ live: false });
  const { data, failureReason } = overview;
  if (data) return children;
  if (failureReason instanceof ApiFailure && failureReason.code === 'TWO_FACTOR_REQUIRED')
    return (
      <Notice
        tone="danger"
        title="A second factor is needed"
        onRetry={overview.refetch}
        action={
          <Button size="small" variant="primary" onClick={() => openProfile('security')}>
            Set one up
          </Button>
        }
      >
        {failureReason.message}
      </Notice>
    );
  return (
    <QueryPanel query={overview} what="the state of the server">
      {() => null}
    </QueryPanel>
  );
}
