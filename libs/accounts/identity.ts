export interface Identity {
  userId: string;
  sessionId: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  /** The slugs of the plans in the token; null without a claim about plans. */
  plans: string[] | null;
  /** Times of issue and expiry of the token, in seconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

export interface TokenVerifier {
  /**
   * @throws AppError `UNAUTHENTICATED` for a token that is missing, malformed, expired or of another issuer;
   * `UNAVAILABLE` while the keys cannot be read.
   */
  verify(token: string): Promise<Identity>;
}

export const TOKEN_VERIFIER = Symbol('TOKEN_VERIFIER');
