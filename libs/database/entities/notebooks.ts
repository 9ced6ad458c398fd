import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { NotebookCitation } from '#libs/contract/notebooks.js';
import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { OwnedEntity } from './owned-row.js';
import { PdfDocumentEntity } from './pdf-documents.js';

/** A named conversation about documents. The conversation of a PDF chat is a notebook with one document. */
@Entity('notebooks')
@Index('notebooks_user', ['userId', 'updatedAt'])
@Index('notebooks_pdf_chat_name', ['userId', 'name'], { unique: true, where: 'is_pdf_chat' })
export class NotebookEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  /** True if the tool chat-with-pdf started it. Such a notebook has exactly one document, and a unique name. */
  @Column('boolean', { default: false })
  isPdfChat!: boolean;

  /** Number of documents ever added, so that the numbers of removed documents are not given again. */
  @Column('integer', { default: 0 })
  documentsAdded!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Time of the last question or change. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A document of a notebook. Replaced versions stay, since earlier answers cite them. */
@Entity('notebook_documents')
@Index('notebook_documents_document', ['documentId'])
export class NotebookDocumentEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => NotebookEntity, { onDelete: 'CASCADE' })
  notebookId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string;

  /** Number in citations and in the list, from 1. */
  @Column('integer')
  source!: number;

  @Column('text')
  name!: string;

  @Column('boolean', { default: true })
  isEnabled!: boolean;

  /** Id of the document that is its newer version. */
  @Column('uuid', { nullable: true })
  replacedBy!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  addedAt!: Date;
}

/** A message of a notebook's conversation. */
@Entity('pdf_messages')
@Check('pdf_messages_role_check', `role IN ('user', 'assistant')`)
@Index('pdf_messages_order', ['documentId', 'askedAt', 'id'])
@Index('pdf_messages_notebook', ['notebookId', 'askedAt', 'id'])
export class PdfMessageEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** Never null: a trigger sets it for programs of the previous version. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => NotebookEntity, { onDelete: 'CASCADE' })
  notebookId!: string;

  /** The document of a PDF chat, for programs of the previous version. Null in other notebooks. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => PdfDocumentEntity, { onDelete: 'CASCADE' })
  documentId!: string | null;

  @Column('text')
  role!: PdfChatMessage['role'];

  @Column('text')
  content!: string;

  @Column('jsonb', { nullable: true })
  citations!: (Citation | NotebookCitation)[] | null;

  @Column('text', { nullable: true })
  engine!: EngineName | null;

  /** Name of the model. Null if the answer was made by rules, or stored before this column existed. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** Time of the question. Orders the conversation, since answers may arrive in a different order. */
  @Column({ type: 'timestamptz', precision: 3 })
  askedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

@Entity('notebook_notes')
@Index('notebook_notes_order', ['notebookId', 'position', 'createdAt'])
export class NotebookNoteEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => NotebookEntity, { onDelete: 'CASCADE' })
  notebookId!: string;

  /** Id of the answer that was kept. Null for a note in the user's own words. */
  @Column('bigint', { nullable: true })
  messageId!: string | null;

  @Column('text')
  content!: string;

  @Column('jsonb')
  citations!: NotebookCitation[];

  @Column('integer')
  position!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
