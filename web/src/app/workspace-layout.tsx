import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { PageErrors } from '../shared/ui/page-errors';
import { Loading } from '../shared/ui/spinner';
import { SkipLink } from '../shared/ui/skip-link';
import { Toasts } from '../shared/ui/toasts';
import { AppShell } from './app-shell';
import { RunsProvider } from './live/runs-provider';
import { useAccounts } from '../shared/account/accounts';
import { SignedOutPage } from '../features/workspace/signed-out-page';
import { SidebarPanel } from '../features/workspace/sidebar';
import { TopBar } from '../features/workspace/top-bar';

/** Layout of the signed-in area. Visitors who are not signed in get the sign-in page instead. */
export default function WorkspaceLayout() {
  const { user } = useAccounts();
  const { pathname } = useLocation();
  if (user === null) return <SignedOutPage />;
  return (
    <RunsProvider key={user.id}>
      <SkipLink />
      <div className="grid min-h-dvh grid-rows-[auto_1fr] grid-cols-1 lg:grid-cols-[18.5rem_minmax(0,1fr)]">
        <TopBar />
        <aside className="fixed-bar sticky top-16 hidden h-[calc(100dvh-4rem)] border-r border-line lg:block">
          <SidebarPanel />
        </aside>
        <main id="main" tabIndex={-1} className="min-w-0 px-4 py-8 outline-none sm:px-8 sm:py-12 xl:px-14">
          <div key={pathname} className="mx-auto max-w-7xl animate-rise">
            <PageErrors>
              <Suspense fallback={<Loading label="Loading the page" />}>
                <Outlet />
              </Suspense>
            </PageErrors>
          </div>
          <div aria-hidden="true" className="job-tray-spacer" />
        </main>
      </div>
      <AppShell />
      <Toasts />
    </RunsProvider>
  );
}
