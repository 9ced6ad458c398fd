import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ErrorCode } from '#libs/contract/errors.js';
import { UserEntity } from './users.js';

export interface PreviewError {
  code: ErrorCode;
  message: string;
  field?: string;
}

export type PreviewAnswer = { result: object } | { error: PreviewError };

/** A preview that an HTTP request waits for. The row is deleted when the request ends. */
@Entity('previews')
export class PreviewEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** Unique, so that a user has only one preview at a time. */
  @Column('text', { unique: true })
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('jsonb')
  input!: unknown;

  /** Object key of the image. Null until the image is stored. */
  @Column('text', { nullable: true })
  fileKey!: string | null;

  /** Time when a worker claimed the preview. Null while it waits. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('jsonb', { nullable: true })
  answer!: PreviewAnswer | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
