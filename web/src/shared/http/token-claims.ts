import { ignoreErrors } from '../lib/ignore-errors';

/** The claims that the client reads. The client doesn't verify the token's signature; the server does. */
interface TokenClaims {
  iat?: number;
  exp?: number;
  /** The user's billing plans, as one string (Clerk only). */
  pla?: string;
}

/** Decodes the claims of a token. @returns {} if the token is malformed */
export function tokenClaims(token: string): TokenClaims {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return ignoreErrors(() => JSON.parse(atob(payload)) as TokenClaims) ?? {};
}
