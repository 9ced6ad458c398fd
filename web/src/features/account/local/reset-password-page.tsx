import { lazy, Suspense } from 'react';
import { useConfig } from '../../../shared/account/read-config';
import { Loading } from '../../../shared/ui/spinner';
import { NotFoundPanel } from '../../../shared/ui/not-found-panel';

const ResetPasswordForm = lazy(() => import('./sign-in/reset-password-form'));

/** The page that a password reset link opens. Shows "not found" if the server doesn't send mail. */
export default function ResetPasswordPage() {
  const accounts = useConfig().data?.accounts;
  const loading = <Loading label="Loading the page" />;
  return (
    <div className="mx-auto grid w-full max-w-3xl justify-items-center px-4 py-16">
      {accounts === undefined && loading}
      {accounts?.mail === false && <NotFoundPanel />}
      {accounts?.mail === true && (
        <Suspense fallback={loading}>
          <ResetPasswordForm />
        </Suspense>
      )}
    </div>
  );
}
