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
      <Allowed>
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
                      '-mb-px inline-flex min-h-11 items-center border-b-2',
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
      </Allowed>
    </LiveUpdatesProvider>
  );
}

function LiveSwitch() {
  const { isLive, setLive } = useLiveUpdates();
  return <Switch label="Live updates" checked={isLive} onChange={setLive} />;
}

function Allowed({ children }: { children: ReactNode }) {
  const account = useAccount();
  const { openProfile } = useAccounts();
  const { data, failureReason, refetch } = useOverview();
  if (account.data && account.data.role !== 'admin')
    return (
      <Notice tone="note" title="For operators">
        This part is for those who run this server.
      </Notice>
    );
  if (data) return children;
  if (failureReason === null) return <Loading label="Loading the state of the server" />;
  const needsFactor = failureReason instanceof ApiFailure && failureReason.code === 'TWO_FACTOR_REQUIRED';
  return (
    <Notice
      tone="danger"
      title={needsFactor ? 'A second factor is needed' : 'The state of the server could not be loaded'}
      onRetry={refetch}
      action={
        needsFactor && (
          <Button size="small" variant="primary" onClick={() => openProfile('security')}>
            Set one up
          </Button>
        )
      }
    >
      {failureReason.message}
    </Notice>
  );
}
