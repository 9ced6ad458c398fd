import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DocumentKind, DocumentSummary } from '#libs/contract/notebooks.js';
import type { PdfWord } from '#libs/contract/pdf-chats.js';
import type { PdfAttachment, PdfDetails } from '#libs/contract/pdf-details.js';
import type { Scan } from '#libs/contract/scans.js';
import { StoredObjectEntity } from './creations.js';
import { OwnedEntity } from './owned-row.js';

@Entity('pdf_documents')
@Check('pdf_documents_pages_check', `jsonb_typeof(pages) = 'array'`)
@Unique(['userId', 'sha256'])
@Index('pdf_documents_used', ['usedAt'])
@Index('pdf_documents_file', ['fileKey'], { where: 'file_key IS NOT NULL' })
export class PdfDocumentEntity extends OwnedEntity {
  @Column('text')
  sha256!: string;

  /** File name of the first upload of this document. */
  @Column('text')
  fileName!: string;

  /**
   * Name of the latest conversation as a PDF chat. Only programs of the previous version read it, during a deployment: names are in
   * `notebooks`.
   */
  @Column('text', { nullable: true })
  chatName!: string | null;

  @Column('text', { default: 'pdf' })
  kind!: DocumentKind;

  /** Made once, with the first request for it. Null until then. */
  @Column('jsonb', { nullable: true })
  summary!: DocumentSummary | null;

  /** Text of each page, in page order. */
  @Column('jsonb')
  pages!: string[];

  /** OCR state of scanned pages. Null if all pages have text, or if the document was stored before OCR existed. */
  @Column('jsonb', { nullable: true })
  scan!: Scan | null;

  /** Numbers of pages with several columns. Null if the document was stored before columns were detected. */
  @Column('jsonb', { nullable: true })
  columns!: number[] | null;

  /** Printed page numbers, `''` for a page without one. Null if they are 1, 2, 3 and so on. */
  @Column('jsonb', { nullable: true })
  labels!: string[] | null;

  /** Null if an older reader stored the document. */
  @Column('jsonb', { nullable: true })
  details!: PdfDetails | null;

  /** Null if an older reader stored the document. */
  @Column('jsonb', { nullable: true })
  attachments!: PdfAttachment[] | null;

  /** Version of the reader that stored the document, see `READER`. A document of an older one is read again. */
  @Column('smallint', { default: 0 })
  reader!: number;

  @Column('timestamptz', { default: () => 'now()' })
  usedAt!: Date;

  /** Object key of the file. Null if the document was stored before files were kept. */
  @Column('text', { nullable: true })
  @ForeignKey(() => StoredObjectEntity, { onDelete: 'SET NULL' })
  fileKey!: string | null;
}

/** Words that OCR recognized on a scanned page. */
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

/** Embedding of a passage for semantic search. */
@Entity('pdf_passage_vectors')
export class PdfPassageVectorEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string;

  /** Hash of the passage's text and the model's name. */
  @PrimaryColumn('text')
  passage!: string;

  /** Vector of 384 signed bytes. */
  @Column('bytea')
  vector!: Buffer;
}
