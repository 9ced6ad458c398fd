import type { KeyScope } from '#libs/contract/api-keys.js';

/** What an API key may do. */
export interface ApiKeyGrant {
  id: string;
  scopes: KeyScope[];
  /** Requests a minute; null is the limit of the user. */
  ratePerMinute: number | null;
  expiresAt: Date | null;
}

/** Who sends a request: a user's session, or a program with an API key. */
export interface Caller {
  userId: string;
  apiKey?: ApiKeyGrant;
}

export interface Identity extends Caller {
  apiKey?: undefined;
  sessionId: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  /** The slugs of the plans in the token; null if the token has no plan claim. */
  plans: string[] | null;
  /** Times of issue and expiry of the token, in seconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

export interface TokenVerifier {
  /**
   * @throws AppError `UNAUTHENTICATED` if the token is missing, malformed, expired or of another issuer; `UNAVAILABLE` if
   *   the issuer's keys cannot be read
   */
  verify(token: string): Promise<Identity>;
}

export const TOKEN_VERIFIER = Symbol('TOKEN_VERIFIER');
