import { formatWait } from '../../../../shared/lib/format';
import { useCountdown } from '../../../../shared/lib/use-countdown';
import { Notice } from '../../../../shared/ui/notice';
import { AuthError } from '../api/auth-call';
import { authErrorMessage } from '../api/auth-error-message';
import { PasskeyNotUsed } from '../api/passkey-api';

/** Seconds until the server accepts the form again after too many attempts; 0 if now. */
export const useRetryWait = (error: unknown): number => useCountdown(refusalOf(error));

const refusalOf = (error: unknown) =>
  error instanceof AuthError && error.status === 429 && error.retryAfterSeconds !== null ? error : null;

/** Shows the error of an account call. After too many attempts, also shows when the next attempt is allowed. */
export function AuthProblem({ error }: { error: unknown }) {
  const seconds = useRetryWait(error);
  if (error instanceof PasskeyNotUsed) return <Notice tone="note">{error.message}</Notice>;
  const { message } = authErrorMessage(error);
  if (refusalOf(error) === null) return <Notice tone="danger">{message}</Notice>;
  if (seconds === 0) return <Notice tone="note">You can try again now.</Notice>;
  return (
    <Notice tone="danger" title="Too many attempts">
      {/* The changing countdown is hidden from screen readers, which would announce it each second. */}
      <span className="sr-only">{message}</span>
      <span aria-hidden="true">
        You can try again in <span className="tabular-nums">{formatWait(seconds)}</span>.
      </span>
    </Notice>
  );
}
