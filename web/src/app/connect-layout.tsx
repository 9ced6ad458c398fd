import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { SignedOutPage } from '../features/workspace/signed-out-page';
import { useAccounts } from '../shared/account/accounts';
import { paths } from '../shared/paths';
import { PlainHeader } from '../shared/ui/plain-header';
import { SkipLink } from '../shared/ui/skip-link';
import { Loading } from '../shared/ui/spinner';

/** Layout of a question to a signed-in user, without the workspace. Others get the sign-in page first. */
export default function ConnectLayout() {
  const { user } = useAccounts();
  if (user === null) return <SignedOutPage />;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <SkipLink />
      <PlainHeader home={paths.dashboard} />
      <main id="main" tabIndex={-1} className="grid place-items-center px-4 pt-4 pb-24 outline-none">
        <Suspense fallback={<Loading label="Loading the page" />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
