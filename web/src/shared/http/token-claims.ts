/** What a session token says, as far as the client looks at it. The server verifies it; here it is only read. */
interface TokenClaims {
  iat?: number;
  exp?: number;
  /** The billing plans, as one text. */
  pla?: string;
}

/** The claims of a token; none where it holds no JSON. */
export function tokenClaims(token: string): TokenClaims {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as TokenClaims;
  } catch {
    return {};
  }
}
