import { useQuery } from '@tanstack/react-query';
import { useAccount } from '../../../../shared/account/account-calls';
import { useConfig } from '../../../../shared/account/read-config';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { readOwnSession } from '../api/account-api';
import {
  describeGuesses,
  GUESSED_TITLE,
  useDismissGuessedCodes,
  useGuessedCodes,
} from '../api/guessed-codes';
import { QueryStatus } from '../ui/query-status';
import { AppSection } from './app-section';
import { PasskeysSection } from './passkeys-section';
import { PasswordForm } from './password-form';

interface SecuritySectionProps {
  user: SignedInUser;
  /** Called when the dialog must not be closed by accident, and when it may again. */
  onGuard: (guarded: boolean) => void;
}

export function SecuritySection({ user, onGuard }: SecuritySectionProps) {
  const config = useConfig().data;
  const account = useAccount().data;
  const own = useQuery({ queryKey: queryKeys.ownSession, queryFn: readOwnSession });
  const guessed = useGuessedCodes().data;
  const dismiss = useDismissGuessedCodes();
  const required = config?.accounts.twoFactorFor === 'operators' && account?.role === 'admin';
  const missing = required && own.data?.hasSecondFactor === false;
  return (
    <div className="grid gap-8">
      {missing && (
        <Notice tone="warning" title="Operators need two-factor authentication">
          Set up an authenticator app below, or add a passkey and sign in with it. Until then, operator pages
          are not available.
        </Notice>
      )}
      {guessed && (
        <Notice
          tone="warning"
          title={GUESSED_TITLE}
          action={
            <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate()}>
              Dismiss
            </Button>
          }
        >
          {describeGuesses(guessed)} If this was not you, change your password below, and end the sessions
          that you do not recognize.
        </Notice>
      )}
      {dismiss.error && <Notice tone="danger">{dismiss.error.message}</Notice>}
      <section aria-label="Authenticator app">
        <h3 className="text-lg font-semibold">Authenticator app</h3>
        {own.data === undefined ? (
          <div className="mt-3">
            <QueryStatus
              failure={own.failureReason}
              loading="Loading"
              failed="Two-factor settings could not be loaded"
            />
          </div>
        ) : (
          <AppSection email={user.email} isOn={own.data.hasApp} onGuard={onGuard} />
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
