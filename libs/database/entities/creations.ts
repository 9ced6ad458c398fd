import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { CreationSettings, SavedFilter } from '#libs/contract/creations.js';
import { JobEntity } from './jobs.js';
import { UserEntity } from './users.js';

@Entity('creations')
// TypeORM cannot express their descending columns and operator classes.
@Index('creations_newest', { synchronize: false })
@Index('creations_published', { synchronize: false })
@Index('creations_search', { synchronize: false })
@Index('creations_types', ['userId', 'type'], { where: 'deleted_at IS NULL' })
@Index('creations_made_from', ['madeFrom'], { where: 'made_from IS NOT NULL' })
export class CreationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('uuid', { nullable: true, unique: true })
  @ForeignKey(() => JobEntity, { onDelete: 'SET NULL' })
  jobId!: string | null;

  @Column('text')
  tool!: string;

  @Column('text')
  type!: string;

  @Column('text')
  prompt!: string;

  /** The one that its user gave it; shown in place of the prompt. */
  @Column('text', { nullable: true })
  displayName!: string | null;

  /** Markdown, or the path of a stored image. */
  @Column('text')
  content!: string;

  /** Name, prompt and text in lower case, kept by a trigger; of an image without the text. */
  @Column('text', { default: '', select: false })
  searchText!: string;

  @Column('text')
  engine!: EngineName;

  /** The name of the model that made it; null where rules did. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** What its tool was given beside the prompt; null for what has no form to fill in again. */
  @Column('jsonb', { nullable: true })
  settings!: CreationSettings | null;

  /** The creation of the same user that it was made from. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'SET NULL' })
  madeFrom!: string | null;

  /** One more with each change of the content. */
  @Column('integer', { default: 1 })
  contentRevision!: number;

  @Column('boolean', { default: false })
  published!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Set for the hours in which its user may restore it. */
  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}

/**
 * A version of a creation. One without any has never been edited: its only version is what the engine gave. The first
 * has the creation's own id.
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

  /** From 1, what the engine gave; one more than the highest of those that are there. */
  @Column('integer')
  number!: number;

  @Column('text')
  label!: string;

  /** Whether its user named it: then later saves leave it as it is. */
  @Column('boolean', { default: false })
  isNamed!: boolean;

  /** The session of editing whose saves change it; null for an image. */
  @Column('uuid', { nullable: true })
  session!: string | null;

  /** Whether the creation shows it: then both have the same content. */
  @Column('boolean')
  isCurrent!: boolean;

  /** Whether it is a subject without its background, which edits of the background begin with. */
  @Column('boolean')
  isCutOut!: boolean;

  /** As that of a creation: Markdown, or the path of a stored image. */
  @Column('text')
  content!: string;

  @Column('text', { nullable: true })
  thumbnailKey!: string | null;

  /** Null for a text, and where the file is gone, as are width and height. */
  @Column('text', { nullable: true })
  mediaType!: string | null;

  /** In pixels. */
  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** Of what was sent with the key. */
  @Column('text', { nullable: true })
  requestHash!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** The link by which a text is shared. */
@Entity('creation_shares')
export class CreationShareEntity {
  /** The last part of the link, which cannot be guessed. */
  @PrimaryColumn('text')
  token!: string;

  @Column('uuid', { unique: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  /** The text as it was shared; null where the link shows later edits. */
  @Column('text', { nullable: true })
  content!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A tag of a creation, or that it is a favourite: `FAVOURITE_TAG`. It repeats columns of the creation for its index. */
@Entity('creation_tags')
@Index('creation_tags_user', ['userId', 'isDeleted', 'tag', 'createdAt', 'creationId', 'type'])
export class CreationTagEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  @PrimaryColumn('text')
  tag!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  type!: string;

  /** When the creation was made. */
  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Whether the creation is deleted, kept by a trigger. */
  @Column('boolean', { default: false })
  isDeleted!: boolean;
}

@Entity('saved_searches')
@Index('saved_searches_user', ['userId'])
export class SavedSearchEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  name!: string;

  @Column('jsonb')
  filter!: SavedFilter;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** The address of a ZIP of several creations, for an hour. */
@Entity('creation_zips')
@Index('creation_zips_user', ['userId'])
export class CreationZipEntity {
  /** The last part of the address, which cannot be guessed. */
  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

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

  /** Null once the account is deleted: the row then only says which bytes are still to be deleted. */
  @Column('text', { nullable: true })
  @ForeignKey(() => UserEntity, { onDelete: 'SET NULL' })
  userId!: string | null;

  /** The image and thumbnail of a creation are those that it shows; files of its other versions are of kind `version`. */
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

  /** The job that made it, or the latest that it was sent for; of an upload, null until there is one. */
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

  /** Set when nobody may read the object any more; its bytes are deleted next, then the row. */
  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;
}
