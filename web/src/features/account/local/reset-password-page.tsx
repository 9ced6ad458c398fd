import { lazy, Suspense } from 'react';
import { useConfig } from '../../../shared/api/read-config';
import { Loading } from '../../../shared/ui/spinner';
import { NotFoundSheet } from '../../../shared/ui/not-found-sheet';

const ResetForm = lazy(() => import('./sign-in/reset-form'));

/** Where the mailed link for a new password leads; there is no such page where no mail is sent. */
export default function ResetPasswordPage() {
  const accounts = useConfig().data?.accounts;
  const loading = <Loading what="Loading the page" />;
  return (
    <div className="mx-auto grid w-full max-w-3xl justify-items-center px-4 py-16">
      {accounts === undefined && loading}
      {accounts?.mail === false && <NotFoundSheet />}
      {accounts?.mail === true && (
        <Suspense fallback={loading}>
          <ResetForm />
        </Suspense>
      )}
    </div>
  );
}
