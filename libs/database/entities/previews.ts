import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ErrorCode } from '#libs/contract/errors.js';
import { UserEntity } from './users.js';

export interface PreviewError {
  code: ErrorCode;
  message: string;
  field?: string;
}

export type PreviewAnswer = { result: object } | { error: PreviewError };

/** A preview that a request waits for. The row is deleted with the end of the request. */
@Entity('previews')
export class PreviewEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** A user has one preview at a time. */
  @Column('text', { unique: true })
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('jsonb')
  input!: unknown;

  /** Object key of the image; null until it is stored. */
  @Column('text', { nullable: true })
  fileKey!: string | null;

  /** Time at which a worker claimed the preview. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('jsonb', { nullable: true })
  answer!: PreviewAnswer | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
