import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ErrorCode } from '#libs/contract/errors.js';
import { UserEntity } from './users.js';

export interface PreviewError {
  code: ErrorCode;
  message: string;
  field?: string;
}

export type PreviewAnswer = { result: object } | { error: PreviewError };

/** A preview that a request waits for: its row ends with the request. */
@Entity('previews')
export class PreviewEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** A user has one at a time. */
  @Column('text', { unique: true })
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('jsonb')
  input!: unknown;

  /** The key of the stored image; null until it is there. */
  @Column('text', { nullable: true })
  fileKey!: string | null;

  /** When a worker took it. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('jsonb', { nullable: true })
  answer!: PreviewAnswer | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
