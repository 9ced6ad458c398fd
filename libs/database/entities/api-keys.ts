import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { OwnedRow } from './owned-row.js';

/** What lets a program act for a user: a secret, or an app's OAuth client. */
@Entity('api_keys')
@Check('api_keys_caps', 'monthly_jobs >= 0 AND monthly_credits >= 0 AND rate_per_minute > 0')
@Check('api_keys_secret_or_app', '(hash IS NULL) <> (client_id IS NULL)')
@Index('api_keys_user', ['userId'])
@Index('api_keys_app', ['userId', 'clientId'], {
  unique: true,
  where: 'revoked_at IS NULL AND client_id IS NOT NULL',
})
export class ApiKeyEntity extends OwnedRow {
  /** Part of the key: 12 hexadecimal digits. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the whole key in hexadecimal digits. The key is random, so it needs no slow hash. */
  @Column('text', { nullable: true })
  hash!: string | null;

  /** The OAuth client of a connected app, which has no secret of its own. */
  @Column('text', { nullable: true })
  clientId!: string | null;

  @Column('text', { array: true })
  scopes!: KeyScope[];

  @Column('integer', { nullable: true })
  ratePerMinute!: number | null;

  @Column('integer', { nullable: true })
  monthlyJobs!: number | null;

  @Column('integer', { nullable: true })
  monthlyCredits!: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

/** Jobs that a key started in a month. The credits that it spent are entries of the ledger. */
@Entity('api_key_months')
export class ApiKeyMonthEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => ApiKeyEntity, { onDelete: 'CASCADE' })
  apiKeyId!: string;

  /** First day of the month in UTC, as `YYYY-MM-01`. */
  @PrimaryColumn('date')
  month!: string;

  @Column('integer')
  jobs!: number;
}
