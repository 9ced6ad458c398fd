import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { useAccount } from '../../../shared/account/account-calls';
import { useAccounts, type SignedInUser } from '../../../shared/account/accounts';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import { ScopeFields } from '../api-keys/scope-fields';
import { AuthError } from '../local/api/auth-call';
import { readAppRequest, useAnswerApp, useAppName, type AppRequest } from './app-request';

/** The page on which a signed-in user allows an app to use the account (OAuth). */
export default function ConnectPage() {
  const { user } = useAccounts();
  const { search } = useLocation();
  const request = readAppRequest(search);
  return (
    <div className="w-full max-w-md min-w-0">
      <title>Connect an app · Pressroom</title>
      {request === null || user === null ? <BrokenRequest /> : <AppForm request={request} user={user} />}
    </div>
  );
}

function AppForm({ request, user }: { request: AppRequest; user: SignedInUser }) {
  const app = useAppName(request.clientId);
  const { data: account } = useAccount();
  const { signOut } = useAccounts();
  const answer = useAnswerApp(request);
  const [scopes, setScopes] = useState<KeyScope[]>(request.scopes);
  if (app.data === undefined) {
    if (app.failureReason === null) return <Loading label="Loading the app" />;
    if (isRefused(app.failureReason)) return <BrokenRequest />;
    return (
      <Notice tone="danger" title="Pressroom cannot be reached" onRetry={app.refetch}>
        Nothing is lost. Try again in a moment.
      </Notice>
    );
  }
  if (answer.isSuccess)
    return (
      <Notice tone="success" title="Done">
        You can close this page if the app does not open.
      </Notice>
    );
  const name = app.data || 'An app without a name';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        answer.mutate(scopes);
      }}
      className="grid gap-5"
    >
      <h1 className="text-3xl wrap-anywhere">
        Allow <bdi>{name}</bdi> to use your account?
      </h1>
      <p className="text-quiet wrap-anywhere">
        You are signed in as <bdi>{user.email ?? user.fullName}</bdi>. You return to {request.returnsTo}.
        Allow it only if you have just asked for this in the app.
      </p>
      <ScopeFields offered={request.scopes} scopes={scopes} onChange={setScopes} />
      <p className="text-sm text-quiet">
        {account?.plan === 'free' &&
          `Its jobs use your credits: ${account.credits.remaining} are left this month. `}
        You can limit or disconnect it at any time on the page “API keys”.
      </p>
      {answer.error && (
        <Notice tone="danger">
          {isRefused(answer.error)
            ? 'This request has expired. Start again from the app.'
            : 'Pressroom cannot be reached. Try again in a moment.'}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={answer.isPending} disabled={scopes.length === 0}>
          Allow
        </Button>
        <Button onClick={() => answer.mutate(null)}>Refuse</Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          Use another account
        </Button>
      </div>
    </form>
  );
}

const isRefused = (error: Error) =>
  error instanceof AuthError && error.status >= 400 && error.status < 500 && error.status !== 429;

const BrokenRequest = () => (
  <>
    <h1 className="mb-6 text-3xl">Connect an app</h1>
    <Notice tone="warning" title="This request is not complete">
      The app is not known here, or its address is not the registered one. Start again from the app. If it
      stays so, ask whoever runs this server to register the app.
    </Notice>
  </>
);
