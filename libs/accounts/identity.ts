export interface Identity {
  userId: string;
  sessionId: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  /** The slugs of the plans in the token; null where it has no claim about plans. */
  plans: string[] | null;
  /** When the token was issued and expires, in seconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

/** Verifies a bearer token of the one provider in use. */
export interface TokenVerifier {
  /**
   * @throws AppError `UNAUTHENTICATED` for a token that is missing, malformed, expired or of another issuer;
   * `UNAVAILABLE` while the keys cannot be read.
   */
  verify(token: string): Promise<Identity>;
}

export const TOKEN_VERIFIER = Symbol('TOKEN_VERIFIER');
