import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Tables of better-auth, with its column names, and the table of rate-limiter-flexible. */

abstract class AuthRow {
  @PrimaryColumn('text')
  id!: string;

  @Column('timestamptz', { name: 'createdAt', default: () => 'now()' })
  createdAt!: Date;
}

@Entity('auth_users')
export class AuthUserEntity extends AuthRow {
  @Column('text')
  name!: string;

  @Column('text', { unique: true })
  email!: string;

  @Column('boolean', { name: 'emailVerified' })
  emailVerified!: boolean;

  @Column('text', { nullable: true })
  image!: string | null;

  @Column('timestamptz', { name: 'updatedAt', default: () => 'now()' })
  updatedAt!: Date;

  @Column('boolean', { name: 'twoFactorEnabled', nullable: true, default: false })
  twoFactorEnabled!: boolean | null;
}

@Entity('auth_sessions')
@Index('auth_sessions_userId_idx', ['userId'])
@Index('auth_sessions_expiresAt_idx', ['expiresAt'])
export class AuthSessionEntity extends AuthRow {
  @Column('timestamptz', { name: 'expiresAt' })
  expiresAt!: Date;

  @Column('text', { unique: true })
  token!: string;

  @Column('timestamptz', { name: 'updatedAt' })
  updatedAt!: Date;

  @Column('text', { name: 'ipAddress', nullable: true })
  ipAddress!: string | null;

  @Column('text', { name: 'userAgent', nullable: true })
  userAgent!: string | null;

  @Column('text', { name: 'userId' })
  @ForeignKey(() => AuthUserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** `passkey` for sessions started with a passkey. */
  @Column('text', { nullable: true })
  method!: string | null;
}

/** An authenticator app. Secret and recovery codes are encrypted. */
@Entity('auth_two_factors')
export class AuthTwoFactorEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  secret!: string;

  @Column('text', { name: 'backupCodes' })
  backupCodes!: string;

  @Column('text', { name: 'userId', unique: true })
  @ForeignKey(() => AuthUserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** True once the user has entered a first code. */
  @Column('boolean', { nullable: true, default: true })
  verified!: boolean | null;

  @Column('integer', { name: 'failedVerificationCount', nullable: true, default: 0 })
  failedVerificationCount!: number | null;

  @Column('timestamptz', { name: 'lockedUntil', nullable: true })
  lockedUntil!: Date | null;
}

@Entity('auth_passkeys')
@Index('auth_passkeys_userId_idx', ['userId'])
export class AuthPasskeyEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { name: 'publicKey' })
  publicKey!: string;

  @Column('text', { name: 'userId' })
  @ForeignKey(() => AuthUserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text', { name: 'credentialID', unique: true })
  credentialID!: string;

  @Column('integer')
  counter!: number;

  @Column('text', { name: 'deviceType' })
  deviceType!: string;

  @Column('boolean', { name: 'backedUp' })
  backedUp!: boolean;

  @Column('text', { nullable: true })
  transports!: string | null;

  @Column('timestamptz', { name: 'createdAt', nullable: true })
  createdAt!: Date | null;

  /** Authenticator model (AAGUID). */
  @Column('text', { nullable: true })
  aaguid!: string | null;
}

@Entity('auth_accounts')
@Index('auth_accounts_userId_idx', ['userId'])
export class AuthAccountEntity extends AuthRow {
  @Column('text', { name: 'accountId' })
  accountId!: string;

  @Column('text', { name: 'providerId' })
  providerId!: string;

  @Column('text', { name: 'userId' })
  @ForeignKey(() => AuthUserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text', { name: 'accessToken', nullable: true })
  accessToken!: string | null;

  @Column('text', { name: 'refreshToken', nullable: true })
  refreshToken!: string | null;

  @Column('text', { name: 'idToken', nullable: true })
  idToken!: string | null;

  @Column('timestamptz', { name: 'accessTokenExpiresAt', nullable: true })
  accessTokenExpiresAt!: Date | null;

  @Column('timestamptz', { name: 'refreshTokenExpiresAt', nullable: true })
  refreshTokenExpiresAt!: Date | null;

  @Column('text', { nullable: true })
  scope!: string | null;

  @Column('text', { nullable: true })
  password!: string | null;

  @Column('timestamptz', { name: 'updatedAt' })
  updatedAt!: Date;
}

@Entity('auth_verifications')
@Index('auth_verifications_identifier_idx', ['identifier'])
export class AuthVerificationEntity extends AuthRow {
  @Column('text')
  identifier!: string;

  @Column('text')
  value!: string;

  @Column('timestamptz', { name: 'expiresAt' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'updatedAt', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('auth_keys')
export class AuthKeyEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'publicKey' })
  publicKey!: string;

  @Column('text', { name: 'privateKey' })
  privateKey!: string;

  @Column('timestamptz', { name: 'createdAt' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expiresAt', nullable: true })
  expiresAt!: Date | null;

  @Column('text', { nullable: true })
  alg!: string | null;

  @Column('text', { nullable: true })
  crv!: string | null;
}

@Entity('auth_rate_limits')
export class RateLimitEntity {
  @PrimaryColumn('varchar', { length: 255 })
  key!: string;

  @Column('integer', { default: 0 })
  points!: number;

  /** Milliseconds since 1970. */
  @Column('bigint', { nullable: true })
  expire!: string | null;
}
