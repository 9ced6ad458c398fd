import {
  boolean,
  id,
  integer,
  now,
  optional,
  table,
  text,
  time,
  unique,
  userId,
} from './better-auth-table.js';

/** Tables of better-auth, with the column names that it requires, and the table of rate-limiter-flexible. */
export const AuthUserEntity = table(
  'auth_users',
  {
    id,
    name: text,
    email: unique(text),
    emailVerified: boolean,
    image: optional(text),
    createdAt: now,
    updatedAt: now,
    twoFactorEnabled: optional({ ...boolean, default: false }),
    stripeCustomerId: optional(text),
  },
  ['stripeCustomerId'],
);

export const AuthSessionEntity = table(
  'auth_sessions',
  {
    id,
    expiresAt: time,
    token: unique(text),
    createdAt: now,
    updatedAt: time,
    ipAddress: optional(text),
    userAgent: optional(text),
    userId,
    /** `passkey` if the user signed in with a passkey. */
    method: optional(text),
  },
  ['userId', 'expiresAt'],
);

/** An authenticator app (TOTP). Secret and recovery codes are encrypted. */
export const AuthTwoFactorEntity = table('auth_two_factors', {
  id,
  secret: text,
  backupCodes: text,
  userId: unique(userId),
  /** True once the user has confirmed the app with a first code. */
  verified: optional({ ...boolean, default: true }),
  failedVerificationCount: optional({ ...integer, default: 0 }),
  lockedUntil: optional(time),
});

/** Last time when somebody with the user's password entered too many wrong codes of the app. Deleted when the user dismisses it. */
export const AuthGuessedCodesEntity = table('auth_guessed_codes', {
  userId: { ...userId, primary: true },
  at: now,
  /** Client's IPv4 address or IPv6 network. */
  network: text,
});

export const AuthPasskeyEntity = table(
  'auth_passkeys',
  {
    id,
    name: optional(text),
    publicKey: text,
    userId,
    credentialID: unique(text),
    counter: integer,
    deviceType: text,
    backedUp: boolean,
    transports: optional(text),
    createdAt: optional(time),
    /** Model of the authenticator (its AAGUID). */
    aaguid: optional(text),
  },
  ['userId'],
);

export const AuthAccountEntity = table(
  'auth_accounts',
  {
    id,
    accountId: text,
    providerId: text,
    userId,
    accessToken: optional(text),
    refreshToken: optional(text),
    idToken: optional(text),
    accessTokenExpiresAt: optional(time),
    refreshTokenExpiresAt: optional(time),
    scope: optional(text),
    password: optional(text),
    createdAt: now,
    updatedAt: time,
  },
  ['userId'],
);

export const AuthVerificationEntity = table(
  'auth_verifications',
  { id, identifier: text, value: text, expiresAt: time, createdAt: now, updatedAt: now },
  ['identifier'],
);

export const AuthKeyEntity = table('auth_keys', {
  id,
  publicKey: text,
  privateKey: text,
  createdAt: time,
  expiresAt: optional(time),
  alg: optional(text),
  crv: optional(text),
});

export const RateLimitEntity = table('auth_rate_limits', {
  key: { type: 'varchar', length: 255, primary: true },
  points: { ...integer, default: 0 },
  /** Expiry in milliseconds since 1970. */
  expire: optional({ type: 'bigint' }),
});
