import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

type Columns = Record<string, EntitySchemaColumnOptions>;

type Value<C> = C extends { type: 'timestamptz' }
  ? Date
  : C extends { type: 'boolean' }
    ? boolean
    : C extends { type: 'integer' }
      ? number
      : string;

type Row<C> = { [K in keyof C]: C[K] extends { nullable: true } ? Value<C[K]> | null : Value<C[K]> };

/**
 * Defines a table whose columns are named exactly like the properties, in camel case. @param indexed columns with an
 * index
 */
function table<const C extends Columns>(name: string, columns: C, indexed: (keyof C & string)[] = []) {
  return new EntitySchema<Row<C>>({
    name,
    columns: Object.fromEntries(
      Object.entries<EntitySchemaColumnOptions>(columns).map(([key, column]) => [
        key,
        { name: key, ...column },
      ]),
    ) as { [K in keyof C]: EntitySchemaColumnOptions },
    indices: indexed.map((column) => ({ name: `${name}_${column}_idx`, columns: [column] })),
  });
}

const text = { type: 'text' } as const;
const time = { type: 'timestamptz' } as const;
const boolean = { type: 'boolean' } as const;
const integer = { type: 'integer' } as const;
const optional = <C extends EntitySchemaColumnOptions>(column: C) => ({ ...column, nullable: true }) as const;
const unique = <C extends EntitySchemaColumnOptions>(column: C) => ({ ...column, unique: true }) as const;

const id = { ...text, primary: true } as const;
const now = { ...time, default: () => 'now()' } as const;
const userId = { ...text, foreignKey: { target: 'auth_users', onDelete: 'CASCADE' } } as const;

/** Tables of better-auth, with the column names that it requires, and the table of rate-limiter-flexible. */
export const AuthUserEntity = table('auth_users', {
  id,
  name: text,
  email: unique(text),
  emailVerified: boolean,
  image: optional(text),
  createdAt: now,
  updatedAt: now,
  twoFactorEnabled: optional({ ...boolean, default: false }),
});

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
