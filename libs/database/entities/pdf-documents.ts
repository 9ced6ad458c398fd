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
import { OwnedEntity } from './owned-row.js';

@Entity('pdf_documents')
@Check('pdf_documents_pages_check', `jsonb_typeof(pages) = 'array'`)
@Unique(['userId', 'sha256'])
@Unique(['userId', 'chatName'])
@Index('pdf_documents_used', ['usedAt'])
@Index('pdf_documents_file', ['fileKey'], { where: 'file_key IS NOT NULL' })
export class PdfDocumentEntity extends OwnedEntity {
  @Column('text')
  sha256!: string;

  /** File name at the first upload. */
  @Column('text')
  fileName!: string;

  /** Name of the conversation in lists; null without a conversation. */
  @Column('text', { nullable: true })
  chatName!: string | null;

  /** Text of each page, in order. */
  @Column('jsonb')
  pages!: string[];

  /** Null if every page has text, and for documents stored before scans were read. */
  @Column('jsonb', { nullable: true })
  scan!: Scan | null;

  /** Numbers of pages in columns; null for documents stored before columns were detected. */
  @Column('jsonb', { nullable: true })
  columns!: number[] | null;

  @Column('timestamptz', { default: () => 'now()' })
  usedAt!: Date;

  /** Null for documents stored before files were kept. */
  @Column('text', { nullable: true })
  @ForeignKey(() => StoredObjectEntity, { onDelete: 'SET NULL' })
  fileKey!: string | null;
}

/** Words of a page that was read by OCR. */
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

  /** Name of the model; null for answers of rules and answers stored before this column existed. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** Time of the question: answers may arrive in another order. */
  @Column({ type: 'timestamptz', precision: 3 })
  askedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** Embedding of a passage, for semantic search. */
@Entity('pdf_passage_vectors')
export class PdfPassageVectorEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string;

  /** Hash of the passage's text and the model's name. */
  @PrimaryColumn('text')
  passage!: string;

  /** 384 dimensions, one signed byte each. */
  @Column('bytea')
  vector!: Buffer;
}
