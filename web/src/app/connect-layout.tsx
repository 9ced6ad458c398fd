import { Suspense } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { SignedOutPage } from '../features/workspace/signed-out-page';
import { useAccounts } from '../shared/account/accounts';
import { paths } from '../shared/paths';
import { Logo } from '../shared/ui/logo';
import { SkipLink } from '../shared/ui/skip-link';
import { Loading } from '../shared/ui/spinner';
import { ThemeToggle } from '../shared/ui/theme-toggle';

/** Layout of a question to a signed-in user, without the workspace. Others get the sign-in page first. */
export default function ConnectLayout() {
  const { user } = useAccounts();
  if (user === null) return <SignedOutPage />;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <SkipLink />
      <header className="flex h-16 items-center gap-2 px-4 sm:px-6">
        <Link
          to={paths.dashboard}
          aria-label="Pressroom home"
          className="mr-auto flex min-h-11 items-center rounded-control py-1"
        >
          <Logo />
        </Link>
        <ThemeToggle />
      </header>
      <main id="main" tabIndex={-1} className="grid place-items-center px-4 pt-4 pb-24 outline-none">
        <Suspense fallback={<Loading label="Loading the page" />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
