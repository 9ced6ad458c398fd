import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { Logo } from '../../components/logo';
import { Notice } from '../../components/notice';
import { Loading } from '../../components/spinner';
import { ThemeToggle } from '../../components/theme-toggle';
import { useAccounts } from '../../session/accounts';

/** What stands in place of the signed-in area: the sign-in form, or why there is none yet. */
export function Gate() {
  const { status, SignInPanel } = useAccounts();
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <title>Sign in · Pressroom</title>
      <header className="flex h-16 items-center justify-between px-4 sm:px-6">
        <Link to={paths.landing} aria-label="Pressroom, to the start page" className="rounded-control py-1">
          <Logo />
        </Link>
        <ThemeToggle />
      </header>
      <main className="grid place-items-center px-4 pt-4 pb-24">
        <Suspense fallback={<Loading what="Loading" />}>
          {status === 'loading' && <Loading what="Looking for your session" />}
          {status === 'ready' && <SignInPanel />}
          {(status === 'error' || status === 'degraded') && (
            <div className="w-full max-w-md">
              <h1 className="mb-6 text-3xl">One moment</h1>
              <Notice
                tone="warning"
                title={status === 'error' ? 'Pressroom cannot be reached' : 'Sign-in is not answering'}
              >
                Your work is safe. This page tries again every few seconds and goes on by itself.
              </Notice>
            </div>
          )}
        </Suspense>
      </main>
    </div>
  );
}
