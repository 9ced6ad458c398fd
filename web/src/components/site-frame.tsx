import { lazy, Suspense, type ReactNode } from 'react';
import { useAccounts } from '../session/accounts';
import { SkipLink } from './skip-link';
import { SiteBar } from './site/site-bar';
import { SiteFooter } from './site/site-footer';

// A visitor who is not signed in never loads it.
const SiteDesk = lazy(() => import('../desk/site-desk'));

/** The public pages' frame: navigation, the page, the imprint; for who is signed in also their work. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { user } = useAccounts();
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr_auto]">
      <SkipLink />
      <SiteBar />
      <main id="main" tabIndex={-1} className="min-w-0 outline-none">
        {children}
      </main>
      <SiteFooter />
      <Suspense fallback={null}>{user !== null && <SiteDesk key={user.id} />}</Suspense>
    </div>
  );
}
