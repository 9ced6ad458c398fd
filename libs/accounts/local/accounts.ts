import { betterAuth } from 'better-auth';
import { isDatabaseAway } from '#libs/database/sql.js';
import type { TrustedIssuer } from '../token-verifier.js';
import { betterAuthOptions, type LocalAccountsOptions } from './options.js';
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
  const auth = betterAuth(betterAuthOptions(options));
  return {
    publicUrl,
    issuer: { keys: localKeys(pool), authorizedParties: [publicUrl] },
    async prepare() {
      const retired = await retireUnreadableKeys(pool, secret);
      if (retired > 0) logger.warn({ retired }, 'AUTH_SECRET was changed: everybody has to sign in again');
    },
    async handle(request) {
      try {
        return await inOurWords(await auth.handler(request));
      } catch (error) {
        const away = isDatabaseAway(error);
        logger.error(
          { err: error },
          away ? 'Database away during a call of the accounts' : 'Accounts call failed',
        );
        return away
          ? failure(503, 'UNAVAILABLE', 'Accounts are not reachable at the moment. Try again shortly.', {
              'retry-after': '5',
            })
          : failure(
              500,
              'INTERNAL',
              'Something went wrong on our side. Try again; if it stays, tell us the request id.',
            );
      }
    },
  };
}

/** A refusal in the form in which better-auth writes its own. */
const failure = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers });
