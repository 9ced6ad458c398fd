import { ignoreErrors } from '../lib/ignore-errors';

/** The claims of a token that the client reads. Only the server verifies it. */
interface TokenClaims {
  iat?: number;
  exp?: number;
  /** The billing plans, as one string. */
  pla?: string;
}

/** Empty if the token contains no JSON. */
export function tokenClaims(token: string): TokenClaims {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return ignoreErrors(() => JSON.parse(atob(payload)) as TokenClaims) ?? {};
}
