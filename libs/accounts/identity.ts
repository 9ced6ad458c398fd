/** Who is asking, as the token says. */
export interface Identity {
  userId: string;
  sessionId: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  /** The slugs of the plans that the token gives the user; null: it says nothing of plans. */
  plans: string[] | null;
  /** When the token was made and ends, in seconds since 1970. */
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

/** Injection token of the one {@link TokenVerifier} of a process, for HTTP and for socket handshakes. */
export const TOKEN_VERIFIER = Symbol('TOKEN_VERIFIER');
