import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { formatDate } from '../../../../shared/lib/format';
import { Notice } from '../../../../shared/ui/notice';
import { endOtherSessions, endSession, listSessions, readOwnSession, type Session } from '../api/account-api';
import { authErrorMessage } from '../api/auth-error-message';
import { describeBrowser, describeLastSeen } from './describe-session';
import { QueryStatus } from '../ui/query-status';
import { useAccountMutation } from '../ui/use-account-mutation';

export function SessionsSection() {
  const queries = useQueryClient();
  const own = useQuery({ queryKey: queryKeys.ownSession, queryFn: readOwnSession });
  const list = useQuery({ queryKey: queryKeys.sessions, queryFn: listSessions });
  const refetch = () => queries.invalidateQueries({ queryKey: queryKeys.sessions });
  const end = useAccountMutation({
    mutationFn: ({ id }: Session) => endSession(id),
    onSettled: refetch,
  });
  const endOthers = useAccountMutation({ mutationFn: endOtherSessions, onSettled: refetch });
  const failure = end.error ?? endOthers.error;

  const ownId = own.data?.id;
  if (list.data === undefined || ownId === undefined)
    return (
      <QueryStatus
        failure={list.failureReason ?? own.failureReason}
        loading="Loading sessions"
        failed="Sessions could not be loaded"
      />
    );
  const sessions = list.data.toSorted(
    (one, other) =>
      Number(other.id === ownId) - Number(one.id === ownId) || other.lastSeenAt.localeCompare(one.lastSeenAt),
  );
  const busy = end.isPending || endOthers.isPending;
  return (
    <section aria-label="Sessions">
      <p className="text-[0.9375rem] text-quiet">
        These browsers are signed in to your account. If you do not recognize one, end its session and change
        your password.
      </p>
      {failure && (
        <div className="mt-4">
          <Notice tone="danger">{authErrorMessage(failure).message}</Notice>
        </div>
      )}
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex min-h-16 items-center justify-between gap-4 py-3">
            <SessionDescription session={session} own={session.id === ownId} />
            {session.id !== ownId && (
              <Button
                size="small"
                aria-label={`End the session of ${describeBrowser(session.userAgent)}`}
                busy={end.isPending && end.variables.id === session.id}
                disabled={busy}
                onClick={() => end.mutate(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <Button
          className="mt-5"
          busy={endOthers.isPending}
          disabled={busy}
          onClick={() => endOthers.mutate()}
        >
          End all other sessions
        </Button>
      ) : (
        <p role="status" className="mt-4 text-sm text-quiet">
          No other sessions.
        </p>
      )}
    </section>
  );
}

function SessionDescription({ session, own }: { session: Session; own: boolean }) {
  const { userAgent, createdAt, lastSeenAt, address } = session;
  return (
    <div className="min-w-0">
      <p className="font-semibold">
        {describeBrowser(userAgent)}
        {own && <span className="ml-2 text-sm font-normal text-success">this browser</span>}
      </p>
      <p className="mt-0.5 text-sm text-quiet">
        {describeLastSeen(lastSeenAt, Date.now())}, signed in on {formatDate(createdAt)}
        {address !== null && (
          <>
            {' from '}
            <span className="font-mono text-xs wrap-anywhere">{address}</span>
          </>
        )}
      </p>
    </div>
  );
}
