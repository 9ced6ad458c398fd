import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { getIP } from 'better-auth/api';
import type pg from 'pg';
import { isDatabaseUnavailable, isNoText } from '#libs/database/sql.js';
import type { TrustedIssuer } from '../token-verifier.js';
import { APP_METADATA_PATH, removeIntrospection } from './app-authorization.js';
import {
  betterAuthOptions,
  CLIENT_ADDRESS_HEADER,
  type AccountsLogger,
  type LocalAccountsOptions,
} from './options.js';
import { hashingFor, signInLine } from './password-hashing.js';
import { rewriteRefusal, throwRefusal } from './refusals.js';
import { endSessionsOfOtherSecret } from './secret-fingerprints.js';
import { reSignBearer, reSignCookies } from './secrets.js';
import { SESSION_SECONDS } from './sessions.js';
import { findUnreadableKeys, localKeys, retireKeys } from './signing-keys.js';

export const LOCAL_ACCOUNTS = Symbol('LOCAL_ACCOUNTS');

/** Our own email and password accounts, at `/api/auth`. */
export interface LocalAccounts {
  publicUrl: string;
  /** Handles a request under `/api/auth`. Never throws. */
  handle(request: Request): Promise<Response>;
  /**
   * Deletes the account of a session, like `/api/auth/delete-user`.
   * @throws AppError, for example if the password is wrong
   */
  deleteAccount(sessionId: string, password: string | undefined, address: string | undefined): Promise<void>;
  issuer: TrustedIssuer;
  /**
   * Creates signing keys, and ends all sessions if AUTH_SECRET was changed. Must be called before the first request, when the
   * database is available.
   * @throws ConfigurationError if AUTH_SECRET was replaced by a newer one
   */
  prepare(): Promise<void>;
}

/** Calls that hash a password and need no session. */
const HASHING_PATHS = ['/api/auth/sign-in/email', '/api/auth/sign-up/email'];

export function createLocalAccounts(options: LocalAccountsOptions): LocalAccounts {
  const { pool, secret, previousSecret = null, publicUrl, logger } = options;
  const secrets = { current: secret, previous: previousSecret };
  const failures = captureFailures(logger);
  const auth = betterAuth(betterAuthOptions({ ...options, logger: failures.logger }));
  const inSignInLine = signInLine();
  const handle = async (request: Request): Promise<Response> => {
    try {
      const network = getIP(request, auth.options) ?? 'unknown';
      const path = new URL(request.url).pathname;
      const renewed = reSignCookies(request.headers.get('cookie'), secrets);
      const own = withHeaders(request, {
        cookie: renewed?.header,
        authorization: reSignBearer(request.headers.get('authorization'), secrets),
      });
      const answer = await rewriteRefusal(
        await failures.run(() =>
          hashingFor(network, () => {
            const call = () => auth.handler(own);
            return HASHING_PATHS.includes(path) ? inSignInLine(network, call) : call();
          }),
        ),
      );
      if (path === APP_METADATA_PATH) return await removeIntrospection(answer);
      if (renewed) renewSessionCookie(answer, renewed.changed, publicUrl);
      return request.method === 'GET' ? keepSessionCookie(answer) : answer;
    } catch (error) {
      if (isNoText(error)) return noText();
      const isUnavailable = isDatabaseUnavailable(error);
      const message = isUnavailable
        ? 'Database unavailable during a call of the accounts'
        : 'Accounts call failed';
      logger.error({ err: error }, message);
      return isUnavailable ? unavailable() : failed();
    }
  };
  return {
    publicUrl,
    handle,
    async deleteAccount(sessionId, password, address) {
      const { rows } = await pool.query<{ token: string }>(
        `SELECT "token" FROM auth_sessions WHERE "id" = $1`,
        [sessionId],
      );
      const headers = new Headers({
        'content-type': 'application/json',
        authorization: `Bearer ${rows[0]?.token ?? ''}`,
        [CLIENT_ADDRESS_HEADER]: address ?? '',
      });
      const body = JSON.stringify({ password });
      const url = `${publicUrl}/api/auth/delete-user`;
      await throwRefusal(await handle(new Request(url, { method: 'POST', headers, body })));
    },
    issuer: { keys: localKeys(pool), authorizedParties: [publicUrl] },
    async prepare() {
      const ended = await withLock(pool, async (connection) => {
        const unreadable = await findUnreadableKeys(pool, secrets);
        const ended = await endSessionsOfOtherSecret(connection, secrets, unreadable.length > 0);
        if (unreadable.length > 0) {
          await retireKeys(pool, unreadable);
          const retired = unreadable.length;
          logger.warn({ retired }, 'AUTH_SECRET was changed: new signing keys will be made');
        }
        // Signs a token to create the first key, under the lock. Otherwise concurrent sign-ins could each create a key.
        await auth.api.signJWT({ body: { payload: {} } });
        return ended;
      });
      if (ended) logger.warn({ sessions: ended.length }, 'AUTH_SECRET was changed: all sessions were ended');
      for (const session of ended ?? []) options.onSessionEnded?.(session, true);
    },
  };
}

function withHeaders(request: Request, given: Record<string, string | null | undefined>): Request {
  const changed = Object.entries(given).filter((header): header is [string, string] => Boolean(header[1]));
  if (changed.length === 0) return request;
  const headers = new Headers(request.headers);
  for (const [name, value] of changed) headers.set(name, value);
  return new Request(request, { headers });
}

/** Sends the browser its session cookie signed with the current secret, unless the response sets it anyway. */
function renewSessionCookie(
  answer: Response,
  changed: readonly { name: string; value: string }[],
  publicUrl: string,
): void {
  const session = changed.find(({ name }) => name.endsWith('.session_token'));
  const isSet = answer.headers.getSetCookie().some((cookie) => /session_token=/.test(cookie));
  if (session === undefined || isSet || answer.status === 401) return;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  answer.headers.append(
    'set-cookie',
    `${session.name}=${session.value}; Max-Age=${SESSION_SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`,
  );
}

/**
 * Removes the `Set-Cookie` that clears the session cookie from a response to GET. A GET with the old cookie may run while
 * another call replaces the session. Its response may arrive last and would clear the new cookie, which signs the user out.
 * Keeping a stale cookie is harmless, because the cookie of an ended session gives no access.
 */
function keepSessionCookie(answer: Response): Response {
  const cookies = answer.headers.getSetCookie();
  const others = cookies.filter((cookie) => !/session_token=;/.test(cookie));
  if (others.length === cookies.length) return answer;
  answer.headers.delete('set-cookie');
  for (const cookie of others) answer.headers.append('set-cookie', cookie);
  return answer;
}

/** Runs `work` in one process at a time, with an advisory lock of a transaction, which PgBouncer keeps on one session. */
async function withLock<Result>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(`SELECT pg_advisory_xact_lock(hashtext('pressroom signing keys'))`);
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } finally {
    // Closes the connection, which releases the lock if the work failed.
    connection.release(true);
  }
}

/**
 * If the database is unavailable, better-auth only logs the error and responds as if nobody were signed in, so each restart
 * of the database would sign users out. This logger captures such an error, and `run` throws it instead.
 */
function captureFailures(logger: AccountsLogger) {
  const calls = new AsyncLocalStorage<{ failure?: Error }>();
  return {
    logger: {
      warn: (fields, message) => logger.warn(fields, message),
      error(fields, message) {
        const call = calls.getStore();
        if (call && 'err' in fields && isDatabaseUnavailable(fields.err)) call.failure = fields.err as Error;
        else logger.error(fields, message);
      },
    } satisfies AccountsLogger,
    async run(work: () => Promise<Response>): Promise<Response> {
      const call: { failure?: Error } = {};
      const response = await calls.run(call, work);
      if (call.failure !== undefined) throw call.failure;
      return response;
    },
  };
}

const unavailable = () =>
  refusal(503, 'UNAVAILABLE', 'Accounts are not reachable at the moment. Try again shortly.', {
    'retry-after': '5',
  });

const failed = () =>
  refusal(
    500,
    'INTERNAL',
    'Something went wrong on our side. Try again; if the problem persists, send us the request ID.',
  );

const noText = () => refusal(400, 'VALIDATION_ERROR', 'The request contains invalid characters.');

const refusal = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers });
