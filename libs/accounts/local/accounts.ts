import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import type pg from 'pg';
import { isDatabaseAway, isNoText } from '#libs/database/sql.js';
import type { TrustedIssuer } from '../token-verifier.js';
import { betterAuthOptions, type AccountsLogger, type LocalAccountsOptions } from './options.js';
import { localKeys, retireUnreadableKeys } from './signing-keys.js';
import { inOurWords } from './wording.js';

/** Email and password accounts of our own, at `/api/auth`. */
export interface LocalAccounts {
  publicUrl: string;
  /** Answers a request under `/api/auth`; never throws. */
  handle(request: Request): Promise<Response>;
  /** The local issuer, for the token verifier. */
  issuer: TrustedIssuer;
  /** To be called once the database is there, before the first request. */
  prepare(): Promise<void>;
}

export function createLocalAccounts(options: LocalAccountsOptions): LocalAccounts {
  const { pool, secret, publicUrl, logger } = options;
  const listening = listenForFailures(logger);
  const auth = betterAuth(betterAuthOptions({ ...options, logger: listening.logger }));
  return {
    publicUrl,
    issuer: { keys: localKeys(pool), authorizedParties: [publicUrl] },
    async prepare() {
      const retired = await retireUnreadableKeys(pool, secret);
      if (retired > 0) logger.warn({ retired }, 'AUTH_SECRET was changed: new signing keys will be made');
      // Signing makes a key where there is none. Left to the first users, each of them would make one of their own.
      await alone(pool, () => auth.api.signJWT({ body: { payload: {} } }));
    },
    async handle(request) {
      try {
        return await inOurWords(await listening.run(() => auth.handler(request)));
      } catch (error) {
        if (isNoText(error)) return noText();
        const away = isDatabaseAway(error);
        logger.error(
          { err: error },
          away ? 'Database away during a call of the accounts' : 'Accounts call failed',
        );
        return away ? unavailable() : failed();
      }
    },
  };
}

/** Runs work that no other process of this database runs at the same time. */
async function alone(pool: pg.Pool, work: () => Promise<unknown>): Promise<void> {
  const connection = await pool.connect();
  try {
    await connection.query(`SELECT pg_advisory_lock(hashtext('pressroom signing keys'))`);
    await work();
  } finally {
    // Closing the connection gives the lock back, whatever happened.
    connection.release(true);
  }
}

/**
 * better-auth only logs some failures of the database, and answers as if nobody were signed in, which would sign users
 * out whenever the database restarts. So its log is listened to, and such a call fails with what was logged.
 */
function listenForFailures(logger: AccountsLogger) {
  const calls = new AsyncLocalStorage<{ failure?: Error }>();
  return {
    logger: {
      warn: (fields, message) => logger.warn(fields, message),
      error(fields, message) {
        const call = calls.getStore();
        if (call && 'err' in fields && isDatabaseAway(fields.err)) call.failure = fields.err as Error;
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
    'Something went wrong on our side. Try again; if it stays, tell us the request id.',
  );

const noText = () => refusal(400, 'VALIDATION_ERROR', 'The request holds characters that are no text.');

/** A refusal in the form in which better-auth writes its own. */
const refusal = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers });
