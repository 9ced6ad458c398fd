export interface Identity {
  userId: string;
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
