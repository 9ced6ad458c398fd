import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { CreationSettings, SavedFilter } from '#libs/contract/creations.js';
import { JobEntity } from './jobs.js';
import { OwnedEntity, OwnedRow } from './owned-row.js';
import { UserEntity } from './users.js';

@Entity('creations')
// TypeORM cannot express the descending columns and operator classes of these indexes.
@Index('creations_newest', { synchronize: false })
@Index('creations_published', { synchronize: false })
@Index('creations_search', { synchronize: false })
@Index('creations_types', ['userId', 'type'], { where: 'deleted_at IS NULL' })
@Index('creations_made_from', ['madeFrom'], { where: 'made_from IS NOT NULL' })
export class CreationEntity extends OwnedEntity {
  @Column('uuid', { nullable: true, unique: true })
  @ForeignKey(() => JobEntity, { onDelete: 'SET NULL' })
  jobId!: string | null;

  @Column('text')
  tool!: string;

  @Column('text')
  type!: string;

  @Column('text')
  prompt!: string;

  /** Name given by the user, shown instead of the prompt. */
  @Column('text', { nullable: true })
  displayName!: string | null;

  /** Markdown, or the path of a stored image. */
  @Column('text')
  content!: string;

  /** Name, prompt and, unless the creation is an image, content in lower case. A trigger maintains it. */
  @Column('text', { default: '', select: false })
  searchText!: string;

  @Column('text')
  engine!: EngineName;

  /** Name of the model; null for results of rules. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** Form fields other than the prompt, to fill in the form again; null for creations without a form. */
  @Column('jsonb', { nullable: true })
  settings!: CreationSettings | null;

  /** Source creation, of the same user. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'SET NULL' })
  madeFrom!: string | null;

  /** Grows by one with each change of the content. */
  @Column('integer', { default: 1 })
  contentRevision!: number;

  @Column('boolean', { default: false })
  published!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Set while the user may still restore the creation. */
  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}

/**
 * A version of a creation. A creation without rows was never edited: its only version is the engine's output. The first
 * version has the creation's id.
 */
@Entity('creation_versions')
@Unique('creation_versions_number', ['creationId', 'number'])
@Index('creation_versions_current', ['creationId'], { unique: true, where: 'is_current' })
export class CreationVersionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  /** Version 1 is the engine's output; a new version gets the highest number plus one. */
  @Column('integer')
  number!: number;

  @Column('text')
  label!: string;

  /** True for versions that the user named. Later saves do not overwrite them. */
  @Column('boolean', { default: false })
  isNamed!: boolean;

  /** Editing session whose saves overwrite this version; null for images. */
  @Column('uuid', { nullable: true })
  session!: string | null;

  /** True for the version that the creation shows. Both have the same content. */
  @Column('boolean')
  isCurrent!: boolean;

  /** True for a picture whose background was removed. Edits of the background start from it. */
  @Column('boolean')
  isCutOut!: boolean;

  /** Markdown, or the path of a stored image. */
  @Column('text')
  content!: string;

  @Column('text', { nullable: true })
  thumbnailKey!: string | null;

  /** Null for texts and deleted files, like width and height. */
  @Column('text', { nullable: true })
  mediaType!: string | null;

  /** In pixels. */
  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** Hash of the request that used the idempotency key. */
  @Column('text', { nullable: true })
  requestHash!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** The link by which a text is shared. */
@Entity('creation_shares')
export class CreationShareEntity {
  /** Random last part of the link. */
  @PrimaryColumn('text')
  token!: string;

  @Column('uuid', { unique: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  /** Text at the time of sharing; null if the link shows later edits. */
  @Column('text', { nullable: true })
  content!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A tag of a creation; `FAVOURITE_TAG` marks favourites. Some columns repeat the creation's, for the index. */
@Entity('creation_tags')
@Index('creation_tags_user', ['userId', 'isDeleted', 'tag', 'createdAt', 'creationId', 'type'])
export class CreationTagEntity extends OwnedRow {
  @PrimaryColumn('uuid')
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  @PrimaryColumn('text')
  tag!: string;

  @Column('text')
  type!: string;

  /** Creation time of the creation. */
  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** True if the creation is deleted. A trigger maintains it. */
  @Column('boolean', { default: false })
  isDeleted!: boolean;
}

@Entity('saved_searches')
@Index('saved_searches_user', ['userId'])
export class SavedSearchEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('jsonb')
  filter!: SavedFilter;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A download link for a ZIP of several creations, valid for an hour. */
@Entity('creation_zips')
@Index('creation_zips_user', ['userId'])
export class CreationZipEntity extends OwnedRow {
  /** Random last part of the link. */
  @PrimaryColumn('text')
  key!: string;

  @Column('uuid', { array: true })
  creationIds!: string[];

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

@Entity('creation_likes')
@Index('creation_likes_user', ['userId'])
export class CreationLikeEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A file in the object store; the row is written before the bytes. */
@Entity('objects')
@Check('objects_key_check', `key ~ '^[A-Za-z0-9_-]{43}$'`)
@Check('objects_kind', `kind IN ('upload', 'image', 'thumbnail', 'document', 'picture', 'version')`)
@Check('objects_bytes_check', 'bytes >= 0')
@Index('objects_user', ['userId'])
@Index('objects_creation', ['creationId'], { where: 'creation_id IS NOT NULL' })
@Index('objects_without_creation', ['createdAt'], { where: 'creation_id IS NULL' })
@Index('objects_removed', ['removedAt'], { where: 'removed_at IS NOT NULL' })
export class StoredObjectEntity {
  @PrimaryColumn('text')
  key!: string;

  /** Null once the account is deleted. The row then only marks bytes that are still to be deleted. */
  @Column('text', { nullable: true })
  @ForeignKey(() => UserEntity, { onDelete: 'SET NULL' })
  userId!: string | null;

  /** `image` and `thumbnail` are the files that a creation shows; files of its other versions are `version`. */
  @Column('text')
  kind!: 'upload' | 'image' | 'thumbnail' | 'document' | 'picture' | 'version';

  @Column('text')
  type!: string;

  @Column('integer')
  bytes!: number;

  @Column('text')
  sha256!: string;

  @Column('text')
  name!: string;

  /** Job that made the file, or the newest job that uses the upload; null for an upload without a job yet. */
  @Column('uuid', { nullable: true })
  jobId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'SET NULL' })
  creationId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Null while the bytes are being written to the store. */
  @Column('timestamptz', { nullable: true })
  storedAt!: Date | null;

  /** Marked for deletion: nobody may read the object. Its bytes are deleted next, then the row. */
  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;
}
