import { Suspense } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { queryKeys } from '../../shared/http/query-keys';
import { NEW_ACCOUNT, paths } from '../../shared/paths';
import { Button, buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { PlainHeader } from '../../shared/ui/plain-header';
import { SectionLinks } from '../../shared/ui/section-links';
import { SkipLink } from '../../shared/ui/skip-link';
import { Loading } from '../../shared/ui/spinner';
import { useAccounts } from '../../shared/account/accounts';

/** Page for visitors who are not signed in: the sign-in form, or the reason why sign-in is unavailable. */
export function SignedOutPage() {
  const { status, error, signOutReason, SignInPanel, retry } = useAccounts();
  const queries = useQueryClient();
  const [parameters] = useSearchParams();
  const isNewcomer = signOutReason == null && parameters.has(NEW_ACCOUNT);
  const retryNow = () => {
    retry?.();
    for (const queryKey of [queryKeys.config, queryKeys.session])
      void queries.refetchQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  };
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <title>Sign in · Pressroom</title>
      <SkipLink />
      <PlainHeader home={paths.landing}>
        <nav aria-label="Start page" className="flex max-sm:hidden">
          <SectionLinks className={buttonClass('quiet', 'small')} />
        </nav>
      </PlainHeader>
      <main id="main" tabIndex={-1} className="grid place-items-center px-4 pt-4 pb-24 outline-none">
        <Suspense fallback={<Loading label="Loading" />}>
          {status === 'loading' && <Loading label="Checking your session" />}
          {status === 'ready' && (
            <div className="grid w-full max-w-md justify-items-center gap-6">
              {signOutReason != null && <SignOutNotice reason={signOutReason} />}
              <SignInPanel isNewcomer={isNewcomer} />
            </div>
          )}
          {(status === 'error' || status === 'degraded') && (
            <div className="w-full max-w-md">
              <h1 className="mb-6 text-3xl">One moment</h1>
              <Notice
                tone="warning"
                title={
                  error?.title ??
                  (status === 'error' ? 'Pressroom cannot be reached' : 'Sign-in is unavailable')
                }
                action={
                  <Button size="small" onClick={retryNow}>
                    Try now
                  </Button>
                }
              >
                {error?.text ?? 'Your work is safe. Retrying every few seconds.'}
              </Notice>
            </div>
          )}
        </Suspense>
      </main>
    </div>
  );
}

function SignOutNotice({ reason }: { reason: keyof typeof signOutReasons }) {
  const { title, text } = signOutReasons[reason];
  return (
    <div className="w-full">
      <Notice tone="note" title={title}>
        {text}
      </Notice>
    </div>
  );
}

const signOutReasons = {
  expired: {
    title: 'Your session has ended',
    text: 'Sign in again to continue. Your input in this tab is still here, and your jobs keep running.',
  },
  'other-tab': {
    title: 'You are signed out',
    text: 'You signed out in another tab. Your work is safe.',
  },
  deleted: { title: 'This account is deleted', text: 'It was deleted in another tab.' },
};
