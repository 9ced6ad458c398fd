import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Plan, Role } from '#libs/contract/account.js';

@Entity('users')
@Check('users_plan_check', `plan IN ('free', 'premium')`)
@Check('users_role_check', `role IN ('person', 'admin')`)
// synchronize: false, since TypeORM cannot express an index on lower(email).
@Index('users_email', { synchronize: false })
@Index('users_picture', ['pictureKey'], { where: 'picture_key IS NOT NULL' })
export class UserEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text', { nullable: true })
  imageUrl!: string | null;

  @Column('text', { default: 'free' })
  plan!: Plan;

  @Column('text', { default: 'person' })
  role!: Role;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  /** Object key of the profile picture. Only for local accounts. */
  @Column('text', { nullable: true })
  pictureKey!: string | null;

  /** Set while an operator keeps the user out. */
  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  /** Why, for the user. */
  @Column('text', { nullable: true })
  suspendedReason!: string | null;
}

/** A browser session that lets an operator open the queue board. */
@Entity('admin_sessions')
export class AdminSessionEntity {
  /** SHA-256 of the secret in the cookie. */
  @PrimaryColumn('text')
  tokenHash!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}

/** Limits that an operator gave a user for a time, in place of the server's. Null is the server's. */
@Entity('user_limits')
export class UserLimitsEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** Maximum unfinished jobs. */
  @Column('integer', { nullable: true })
  unfinishedJobs!: number | null;

  @Column('bigint', { nullable: true })
  storageBytes!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}

/** A value of AUTH_SECRET that was used, as an HMAC with it as the key. The newest row is of the newest secret. */
@Entity('auth_secret_fingerprints')
export class AuthSecretFingerprintEntity {
  @PrimaryColumn('text')
  fingerprint!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  addedAt!: Date;
}
