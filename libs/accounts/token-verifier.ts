import { decodeJwt, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { JOSEError, JWTExpired } from 'jose/errors';
import { AppError } from '#libs/contract/errors.js';
import { isDatabaseUnavailable } from '#libs/database/sql.js';
import type { Identity, TokenVerifier } from './identity.js';

/** Maximum difference in seconds between the clocks of the issuer and this server. */
const CLOCK_TOLERANCE = 5;

/** An issuer's keys, and the accepted `azp` claims of its tokens. */
export interface TrustedIssuer {
  keys: JWTVerifyGetKey;
  authorizedParties: string[];
}

/**
 * Creates a verifier of RS256 session tokens with the claims `iss`, `sub`, `sid`, `exp`, `azp` and, optionally, `name`,
 * `email` and `picture`.
 * @param issuers trusted issuers by their `iss` claim
 * @param hasEnded returns true for an ended session, whose tokens are rejected even if they have not expired
 */
export function createTokenVerifier(
  issuers: ReadonlyMap<string, TrustedIssuer>,
  hasEnded: (sessionId: string) => boolean = () => false,
): TokenVerifier {
  const cache = new VerifiedTokenCache();
  return {
    async verify(token) {
      const identity = cache.get(token) ?? cache.add(token, await verifyToken(token));
      if (hasEnded(identity.sessionId)) throw unauthenticated('The session has ended. Sign in again.');
      return identity;
    },
  };

  async function verifyToken(token: string): Promise<Identity> {
    const issuer = issuerOf(token);
    const trusted = issuer === undefined ? undefined : issuers.get(issuer);
    if (!trusted)
      throw unauthenticated('This token is not from the issuer that this server trusts. Sign in again.');
    const payload = await verifySignature(token, issuer!, trusted.keys);
    return readIdentity(payload, trusted.authorizedParties);
  }
}

/** Milliseconds for which a verified token is cached, and the maximum number of cached tokens. */
const CACHE_MS = 30_000;
const CACHE_MAX_TOKENS = 5_000;

/** Caches recently verified tokens, because a page sends the same token with every request. */
class VerifiedTokenCache {
  private readonly identities = new Map<string, { identity: Identity; until: number }>();

  get(token: string): Identity | undefined {
    const cached = this.identities.get(token);
    return cached && cached.until > Date.now() ? cached.identity : undefined;
  }

  add(token: string, identity: Identity): Identity {
    const until = Math.min(Date.now() + CACHE_MS, identity.expiresAt * 1_000);
    this.identities.delete(token);
    this.identities.set(token, { identity, until });
    const [oldest] = this.identities.keys();
    if (this.identities.size > CACHE_MAX_TOKENS && oldest !== undefined) this.identities.delete(oldest);
    return identity;
  }
}

function issuerOf(token: string): string | undefined {
  if (!token) throw unauthenticated('Sign in first: this call needs a bearer token.');
  try {
    return decodeJwt(token).iss;
  } catch {
    throw unauthenticated('The bearer token is malformed. Sign in again.');
  }
}

async function verifySignature(token: string, issuer: string, keys: JWTVerifyGetKey): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ['RS256'],
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'sid', 'exp', 'azp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof JWTExpired)
      throw unauthenticated('The session token has expired. Request a new one, or sign in again.');
    if (error instanceof JOSEError) throw unauthenticated('The bearer token is not valid. Sign in again.');
    if (error instanceof AppError) throw error;
    if (isDatabaseUnavailable(error)) {
      throw new AppError('UNAVAILABLE', 'The database is not reachable at the moment. Try again shortly.', {
        cause: error,
      });
    }
    throw error;
  }
}

function readIdentity(payload: JWTPayload, authorizedParties: string[]): Identity {
  const { sub, sid, azp, sts, exp, iat } = payload;
  if (typeof azp !== 'string' || !authorizedParties.includes(azp)) {
    throw unauthenticated('This token was issued for another application. Sign in again.');
  }
  if (sts !== undefined && sts !== 'active')
    throw unauthenticated('The sign-in is not complete. Complete it and try again.');
  const isIssuedInFuture = iat !== undefined && iat > Date.now() / 1000 + CLOCK_TOLERANCE;
  if (!sub || typeof sid !== 'string' || !sid || exp === undefined || isIssuedInFuture) {
    throw unauthenticated('The bearer token is not valid. Sign in again.');
  }
  return {
    userId: sub,
    sessionId: sid,
    name: textClaim(payload.name) ?? '',
    email: textClaim(payload.email),
    imageUrl: textClaim(payload.picture),
    plans: readPlanClaim(payload.pla),
    issuedAt: iat ?? 0,
    expiresAt: exp,
  };
}

const textClaim = (claim: unknown) => (typeof claim === 'string' && claim !== '' ? claim : null);

const unauthenticated = (message: string) => new AppError('UNAUTHENTICATED', message);

/**
 * Reads the user's plans from the `pla` claim of a session token, for example `premium` from `u:premium,o:team`. The letters
 * before the colon are the plan's owner: the user (`u`), the organization (`o`) or both (`uo`, `ou`).
 * @returns the slugs of the user's plans; null if the token lacks the claim because billing is not set up
 */
function readPlanClaim(claim: unknown): string[] | null {
  if (typeof claim !== 'string') return null;
  return claim.split(',').flatMap((entry) => {
    const [, scope = '', slug = ''] = /^\s*([a-z]+):(\S+)\s*$/.exec(entry) ?? [];
    return scope.includes('u') ? [slug] : [];
  });
}
