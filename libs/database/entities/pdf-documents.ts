import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { PdfChatMessage, PdfWord } from '#libs/contract/pdf-chats.js';
import type { Scan } from '#libs/contract/scans.js';
import { StoredObjectEntity } from './creations.js';
import { UserEntity } from './users.js';

@Entity('pdf_documents')
@Check('pdf_documents_pages_check', `jsonb_typeof(pages) = 'array'`)
@Unique(['userId', 'sha256'])
@Unique(['userId', 'chatName'])
@Index('pdf_documents_used', ['usedAt'])
@Index('pdf_documents_file', ['fileKey'], { where: 'file_key IS NOT NULL' })
export class PdfDocumentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  sha256!: string;

  /** The name of the file when it was first read. */
  @Column('text')
  fileName!: string;

  /** What its conversation is listed under; null where there is none. */
  @Column('text', { nullable: true })
  chatName!: string | null;

  /** The text of each page, in order. */
  @Column('jsonb')
  pages!: string[];

  /** Null where every page has text, and for documents that were stored before scans were read. */
  @Column('jsonb', { nullable: true })
  scan!: Scan | null;

  /** The pages in columns; null for documents that were stored before they were told. */
  @Column('jsonb', { nullable: true })
  columns!: number[] | null;

  @Column('timestamptz', { default: () => 'now()' })
  usedAt!: Date;

  /** Null for documents read before their files were stored. */
  @Column('text', { nullable: true })
  @ForeignKey(() => StoredObjectEntity, { onDelete: 'SET NULL' })
  fileKey!: string | null;
}

/** The words of a page that was read from its picture. */
@Entity('pdf_scanned_pages')
export class PdfScannedPageEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string;

  @PrimaryColumn('integer')
  page!: number;

  @Column('jsonb')
  words!: PdfWord[];
}

@Entity('pdf_messages')
@Check('pdf_messages_role_check', `role IN ('user', 'assistant')`)
@Index('pdf_messages_order', ['documentId', 'askedAt', 'id'])
export class PdfMessageEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string;

  @Column('text')
  role!: PdfChatMessage['role'];

  @Column('text')
  content!: string;

  @Column('jsonb', { nullable: true })
  citations!: NonNullable<PdfChatMessage['citations']> | null;

  @Column('text', { nullable: true })
  engine!: EngineName | null;

  /** The name of the model that made an answer; null where rules did, and for answers before names were kept. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** When the question was asked: answers may come in another order. */
  @Column({ type: 'timestamptz', precision: 3 })
  askedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** What a model made of a passage of a document, for the search by meaning. */
@Entity('pdf_passage_vectors')
export class PdfPassageVectorEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string;

  /** A key of the passage's text and of the model. */
  @PrimaryColumn('text')
  passage!: string;

  /** A byte for each of its 384 numbers. */
  @Column('bytea')
  vector!: Buffer;
}
