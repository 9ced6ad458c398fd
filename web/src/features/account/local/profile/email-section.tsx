import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../../shared/http/query-keys';
import { useConfig } from '../../../../shared/account/read-config';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { readOwnSession, sendConfirmation } from '../api/account-api';
import { authErrorMessage } from '../api/auth-error-message';
import { EmailForm } from './email-form';
import { useAccountMutation } from '../ui/use-account-mutation';

/**
 * Shows the email address. If the server sends mail, also shows whether the address is confirmed and lets the user change
 * it.
 */
export function EmailSection({ user }: { user: SignedInUser }) {
  const mail = useConfig().data?.accounts.mail ?? false;
  const own = useQuery({ queryKey: queryKeys.ownSession, queryFn: readOwnSession, enabled: mail });
  const [changing, setChanging] = useState(false);
  const changeButton = useRef<HTMLButtonElement>(null);
  const stopChanging = () => {
    flushSync(() => setChanging(false));
    changeButton.current?.focus();
  };
  const email = user.email ?? '';
  const send = useAccountMutation({ mutationFn: () => sendConfirmation(email) });
  const verified = mail ? own.data?.emailVerified : undefined;
  return (
    <section aria-label="Email" className="grid gap-3">
      <div>
        <p className="text-sm font-semibold">Email</p>
        <div className="mt-1 flex min-h-9 items-center justify-between gap-4">
          <p className="min-w-0">
            <span className="wrap-anywhere">{email}</span>
            {verified !== undefined && (
              <span className={`block text-sm ${verified ? 'text-success' : 'text-warning'}`}>
                {verified ? 'Confirmed' : 'Not confirmed'}
              </span>
            )}
          </p>
          {mail && !changing && (
            <Button ref={changeButton} size="small" onClick={() => setChanging(true)}>
              Change
            </Button>
          )}
        </div>
        {!mail && (
          <p className="text-sm text-quiet">
            It cannot be changed because this Pressroom does not send email.
          </p>
        )}
      </div>
      {verified === false && !send.isSuccess && (
        <Notice
          tone="warning"
          title="Your address is not confirmed"
          action={
            <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
              Send the link
            </Button>
          }
        >
          Open the link that we email you. You need it to sign in again.
        </Notice>
      )}
      {verified === false && send.isSuccess && (
        <Notice tone="success" title="Link sent">
          Open it within an hour. If it does not arrive in a few minutes, check your spam folder.
        </Notice>
      )}
      {send.isError && <Notice tone="danger">{authErrorMessage(send.error).message}</Notice>}
      {mail && changing && <EmailForm email={email} confirmed={verified ?? true} onClose={stopChanging} />}
    </section>
  );
}
