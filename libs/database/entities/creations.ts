import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { CreationSettings, SavedFilter } from '#libs/contract/creations.js';
import { OwnedEntity, OwnedRow } from './owned-row.js';
import { UserEntity } from './users.js';

@Entity('creations')
// synchronize: false, since TypeORM cannot express the descending columns and operator classes of these indexes.
@Index('creations_newest', { synchronize: false })
@Index('creations_published', { synchronize: false })
@Index('creations_search', { synchronize: false })
@Index('creations_types', ['userId', 'type'], { where: 'deleted_at IS NULL' })
@Index('creations_made_from', ['madeFrom'], { where: 'made_from IS NOT NULL' })
export class CreationEntity extends OwnedEntity {
  /** Null once the job is deleted: by the trigger `forget_deleted_jobs`, or before its partition is dropped. */
  @Column('uuid', { nullable: true, unique: true })
  jobId!: string | null;

  @Column('text')
  tool!: string;

  @Column('text')
  type!: string;

  @Column('text')
  prompt!: string;

  /** Name chosen by the user, shown instead of the prompt. */
  @Column('text', { nullable: true })
  displayName!: string | null;

  /** Markdown text, or the path of a stored image. */
  @Column('text')
  content!: string;

  /** Lower-case text for searches: name, prompt and, for texts, content. Set by a trigger. */
  @Column('text', { default: '', select: false })
  searchText!: string;

  @Column('text')
  engine!: EngineName;

  /** Name of the model. Null if the result was made by rules, without a model. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** Form fields other than the prompt, used to refill the form. Null if the creation has no form. */
  @Column('jsonb', { nullable: true })
  settings!: CreationSettings | null;

  /** Id of the source creation, which belongs to the same user. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'SET NULL' })
  madeFrom!: string | null;

  /** Increases by 1 with each change of the content. */
  @Column('integer', { default: 1 })
  contentRevision!: number;

  @Column('boolean', { default: false })
  published!: boolean;

  /** Text that the community sees instead of the prompt; null for the prompt. */
  @Column('text', { nullable: true })
  publishedCaption!: string | null;

  /** Name that the user chose for the community; null for `publishedName`. */
  @Column('text', { nullable: true })
  publishedAuthor!: string | null;

  /**
   * Name of the user at the check, or when an operator approved or restored a creation without one. Null if the creation is not
   * published, or the previous version published it during the upgrade; then the user's name counts.
   */
  @Column('text', { nullable: true })
  publishedName!: string | null;

  /** How often its user unpublished it, so that a check that began before does not publish it. */
  @Column('integer', { default: 0 })
  withdrawals!: number;

  /** Set while an operator keeps the creation from being published or shared. */
  @Column('timestamptz', { nullable: true })
  takenDownAt!: Date | null;

  /** Why, for its user. */
  @Column('text', { nullable: true })
  takenDownReason!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Set when the user deletes the creation. The row is deleted when it can no longer be restored. */
  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}

/**
 * A version of a creation. A creation without version rows was never edited; its only version is the engine's output.
 * The original version's id is the creation's id.
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

  /** 1 for the engine's output. A new version gets the highest number plus 1. */
  @Column('integer')
  number!: number;

  @Column('text')
  label!: string;

  /** True if the user named the version. Later saves do not overwrite named versions. */
  @Column('boolean', { default: false })
  isNamed!: boolean;

  /** Id of the editing session whose saves overwrite this version. Null for images. */
  @Column('uuid', { nullable: true })
  session!: string | null;

  /** True for the version that is shown as the creation. Its content equals the creation's content. */
  @Column('boolean')
  isCurrent!: boolean;

  /** True if the background of the picture was removed. Later background changes start from this version. */
  @Column('boolean')
  isCutOut!: boolean;

  /** Markdown text, or the path of a stored image. */
  @Column('text')
  content!: string;

  @Column('text', { nullable: true })
  thumbnailKey!: string | null;

  /** `mediaType`, `width` and `height` are null for texts and for deleted files. */
  @Column('text', { nullable: true })
  mediaType!: string | null;

  /** In pixels. */
  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** Hash of the request that saved this version with an idempotency key. */
  @Column('text', { nullable: true })
  requestHash!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A link that shares a text. */
@Entity('creation_shares')
export class CreationShareEntity {
  /** Secret last part of the link. */
  @PrimaryColumn('text')
  token!: string;

  @Column('uuid', { unique: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  /** Text when it was shared. Null if the link shows the current text. */
  @Column('text', { nullable: true })
  content!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/**
 * A tag of a creation. `FAVOURITE_TAG` marks favourites. Some columns are copied from the creation, so that one index
 * can serve lists.
 */
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

  /** `createdAt` of the creation. */
  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** True if the creation is deleted. Set by a trigger. */
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

/** A link to download several creations as a ZIP. Valid for an hour. */
@Entity('creation_zips')
@Index('creation_zips_user', ['userId'])
export class CreationZipEntity extends OwnedRow {
  /** Secret last part of the link. */
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

/** A file in the object store. The row is inserted before the file is written. */
@Entity('objects')
@Check('objects_key_check', `key ~ '^[A-Za-z0-9_-]{43}$'`)
@Check(
  'objects_kind',
  `kind IN ('upload', 'image', 'thumbnail', 'document', 'picture', 'version', 'original')`,
)
@Check('objects_bytes_check', 'bytes >= 0')
@Index('objects_user', ['userId'])
@Index('objects_creation', ['creationId'], { where: 'creation_id IS NOT NULL' })
@Index('objects_without_creation', ['createdAt'], { where: 'creation_id IS NULL' })
@Index('objects_removed', ['removedAt'], { where: 'removed_at IS NOT NULL' })
export class StoredObjectEntity {
  @PrimaryColumn('text')
  key!: string;

  /** Null once the account is deleted. The row then only records that the file must still be deleted. */
  @Column('text', { nullable: true })
  @ForeignKey(() => UserEntity, { onDelete: 'SET NULL' })
  userId!: string | null;

  /**
   * `image` and `thumbnail` are the current files of a creation; files of its other versions are `version`. `original` is
   * the upload from which a batch made the creation.
   */
  @Column('text')
  kind!: 'upload' | 'image' | 'thumbnail' | 'document' | 'picture' | 'version' | 'original';

  @Column('text')
  type!: string;

  @Column('integer')
  bytes!: number;

  @Column('text')
  sha256!: string;

  @Column('text')
  name!: string;

  /** Job that created the file, or the newest job that uses the upload. Null for an upload without a job. */
  @Column('uuid', { nullable: true })
  jobId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => CreationEntity, { onDelete: 'SET NULL' })
  creationId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Null while the file is being written. */
  @Column('timestamptz', { nullable: true })
  storedAt!: Date | null;

  /** Set when the file is marked for deletion and must not be read any more. The file is deleted next, then this row. */
  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;
}
