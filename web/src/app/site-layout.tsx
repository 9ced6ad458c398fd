import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { SiteBar } from '../features/site/site-bar';
import { SiteFooter } from '../features/site/site-footer';
import { useAccounts } from '../shared/account/accounts';
import { SkipLink } from '../shared/ui/skip-link';

// Lazy, because visitors who are not signed in don't need it.
const SiteAppShell = lazy(() => import('./site-app-shell'));

export function SiteLayout() {
  const { user } = useAccounts();
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr_auto]">
      <SkipLink />
      <SiteBar />
      <main id="main" tabIndex={-1} className="min-w-0 outline-none">
        <Outlet />
      </main>
      <SiteFooter />
      <Suspense fallback={null}>{user !== null && <SiteAppShell key={user.id} />}</Suspense>
    </div>
  );
}
