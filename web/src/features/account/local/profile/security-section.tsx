import { useQuery } from '@tanstack/react-query';
import { useAccount } from '../../../../shared/account/read-account';
import { useConfig } from '../../../../shared/account/read-config';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Loading } from '../../../../shared/ui/spinner';
import { Notice } from '../../../../shared/ui/notice';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { authErrorMessage } from '../api/auth-error-message';
import { readOwnSession } from '../api/profile-api';
import { AppSection } from './app-section';
import { PasskeysSection } from './passkeys-section';
import { PasswordForm } from './password-form';

/** The password, and what comes beside it or in its place. */
export function SecuritySection({ user }: { user: SignedInUser }) {
  const config = useConfig().data;
  const account = useAccount().data;
  const own = useQuery({ queryKey: queryKeys.ownSession, queryFn: readOwnSession });
  const required = config?.accounts.twoFactorFor === 'operators' && account?.role === 'admin';
  const missing = required && own.data?.hasSecondFactor === false;
  return (
    <div className="grid grid-cols-1 gap-8">
      {missing && (
        <Notice tone="warning" title="Operators need a second factor here">
          Set up an authenticator app below, or add a passkey and sign in with it. Until then what is for
          operators stays closed.
        </Notice>
      )}
      <section aria-label="Authenticator app">
        <h3 className="text-lg font-semibold">Authenticator app</h3>
        {own.data === undefined ? (
          own.failureReason === null ? (
            <Loading label="Looking for your second factor" />
          ) : (
            <div className="mt-3">
              <Notice tone="warning" title="Your second factor cannot be shown just now">
                {authErrorMessage(own.failureReason).message} This page tries again by itself.
              </Notice>
            </div>
          )
        ) : (
          <AppSection email={user.email} isOn={own.data.hasApp} />
        )}
      </section>
      <section aria-label="Passkeys" className="border-t border-line pt-6">
        <h3 className="text-lg font-semibold">Passkeys</h3>
        <PasskeysSection email={user.email} available={config?.accounts.passkeys ?? false} />
      </section>
      <section className="border-t border-line pt-6">
        <h3 className="mb-4 text-lg font-semibold">Password</h3>
        <PasswordForm user={user} />
      </section>
    </div>
  );
}
