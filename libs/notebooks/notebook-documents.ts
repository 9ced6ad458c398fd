import { In, IsNull } from 'typeorm';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import {
  documentKindSchema,
  MAX_NOTEBOOK_TEXT_BYTES,
  MAX_NOTEBOOK_DOCUMENTS,
  type ChangeNotebookDocument,
  type DocumentSummary,
  type NotebookDocument,
} from '#libs/contract/notebooks.js';
import type { PdfWord } from '#libs/contract/pdf-chats.js';
import type { PdfDetails } from '#libs/contract/pdf-details.js';
import { NotebookDocumentEntity, NotebookEntity } from '#libs/database/entities/notebooks.js';
import { PdfDocumentEntity, PdfScannedPageEntity } from '#libs/database/entities/pdf-documents.js';
import { execute, queryRow, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { removeDocuments } from '#libs/documents/remove-documents.js';
import { findNotebook, lockNotebook } from './find-notebook.js';

/** A document of a notebook with its text, for a question. */
export interface SourceDocument {
  id: string;
  /** Number of the document in citations. */
  source: number;
  name: string;
  pages: string[];
  /** The number printed on each page, `''` for a page without one; null if they are 1, 2, 3 and so on. */
  labels: string[] | null;
  /** What the file says about itself. */
  details: PdfDetails | null;
}

export interface NewNotebookDocument {
  notebookId: string;
  documentId: string;
  name: string;
  /** Id of the document that this is a newer version of. */
  replaces?: string;
}

/** The documents of users' notebooks. */
export class NotebookDocuments {
  constructor(private readonly dataSource: Database) {}

  /** All documents of a notebook; those that are being read, or could not be read, come last. @throws AppError NOT_FOUND */
  async list(userId: string, notebookId: string): Promise<NotebookDocument[]> {
    await findNotebook(this.dataSource, userId, notebookId);
    return [...(await this.read(notebookId, null)), ...(await this.readJobs(userId, notebookId))];
  }

  /**
   * A document with its summary and text, also if it was replaced.
   * @throws AppError NOT_FOUND, also if the notebook is another user's
   */
  async get(
    userId: string,
    notebookId: string,
    documentId: string,
  ): Promise<{ document: NotebookDocument; summary: DocumentSummary | null; pages: string[] }> {
    await findNotebook(this.dataSource, userId, notebookId);
    const [document] = await this.read(notebookId, documentId);
    const stored = await this.dataSource.getRepository(PdfDocumentEntity).findOneBy({ id: documentId });
    if (!document || !stored) throw documentNotFound();
    return { document, summary: stored.summary, pages: stored.pages };
  }

  /** @throws AppError NOT_FOUND */
  async change(
    userId: string,
    notebookId: string,
    documentId: string,
    { enabled, name }: ChangeNotebookDocument,
  ): Promise<NotebookDocument> {
    await this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, notebookId);
      const { affected } = await transaction.update(
        NotebookDocumentEntity,
        { notebookId, documentId },
        { ...(enabled !== undefined && { isEnabled: enabled }), ...(name !== undefined && { name }) },
      );
      if (!affected) throw documentNotFound();
    });
    const [document] = await this.read(notebookId, documentId);
    if (!document) throw documentNotFound();
    return document;
  }

  /**
   * Removes a document, or the failed job of one.
   * @param id a document's id, or the id of a job, which must have ended
   * @throws AppError NOT_FOUND
   */
  async remove(userId: string, notebookId: string, id: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, notebookId);
      const { affected } = await transaction.delete(NotebookDocumentEntity, { notebookId, documentId: id });
      if (affected) {
        await transaction.update(
          NotebookDocumentEntity,
          { notebookId, replacedBy: id },
          { replacedBy: null, isEnabled: false },
        );
        await removeDocuments(transaction, [id]);
        return;
      }
      const forgotten = await execute(
        transaction,
        `DELETE FROM jobs WHERE id = $3 AND ${ADDS_DOCUMENT} AND status IN ('failed', 'cancelled')`,
        [userId, notebookId, id],
      );
      if (forgotten === 0) throw documentNotFound();
    });
  }

  /** True if the id is that of an unfinished job that adds a document. */
  async isBeingRead(userId: string, notebookId: string, jobId: string): Promise<boolean> {
    const found = await queryRow(
      this.dataSource,
      z.object({ id: z.string() }),
      `SELECT id FROM jobs WHERE id = $3 AND ${ADDS_DOCUMENT} AND status IN ('queued', 'running')`,
      [userId, notebookId, jobId],
    );
    return found !== undefined;
  }

  /** @throws AppError NOT_FOUND */
  async requireDocument(userId: string, notebookId: string, documentId: string): Promise<void> {
    await findNotebook(this.dataSource, userId, notebookId);
    const exists = await this.dataSource
      .getRepository(NotebookDocumentEntity)
      .existsBy({ notebookId, documentId });
    if (!exists) throw documentNotFound();
  }

  /** The words of a scanned page; empty for a page with a text layer. @throws AppError NOT_FOUND */
  async words(userId: string, notebookId: string, documentId: string, page: number): Promise<PdfWord[]> {
    await this.requireDocument(userId, notebookId, documentId);
    const scanned = await this.dataSource.getRepository(PdfScannedPageEntity).findOneBy({ documentId, page });
    return scanned?.words ?? [];
  }

  /**
   * Checks before a document is read that the notebook takes it.
   * @throws AppError NOT_FOUND if there is no such notebook or no such document to replace; VALIDATION_FAILED if it is full
   */
  async requireRoom(
    userId: string,
    { notebookId, replaces }: Pick<NewNotebookDocument, 'notebookId' | 'replaces'>,
  ): Promise<void> {
    if (replaces === undefined) await findNotebook(this.dataSource, userId, notebookId);
    else await this.requireDocument(userId, notebookId, replaces);
    await requireRoom(this.dataSource, notebookId, replaces);
  }

  /**
   * Adds a document that has been read, or a newer version in place of an older one. Has no effect on a document that the
   * notebook has already, but its name.
   * @param transaction must also end the job
   * @throws AppError NOT_FOUND, VALIDATION_FAILED as {@link requireRoom}
   */
  async add(
    transaction: Transaction,
    userId: string,
    { notebookId, documentId, name, replaces }: NewNotebookDocument,
  ): Promise<void> {
    const notebook = await lockNotebook(transaction, userId, notebookId);
    const replaced = replaces === documentId ? undefined : replaces;
    const key = { notebookId, documentId };
    const present = await transaction.findOneBy(NotebookDocumentEntity, key);
    if (!present || present.replacedBy !== null)
      await requireRoom(transaction, notebookId, replaced, documentId);
    const source = present?.source ?? notebook.documentsAdded + 1;
    if (present)
      await transaction.update(NotebookDocumentEntity, key, { name, replacedBy: null, isEnabled: true });
    else {
      await transaction.update(NotebookEntity, { id: notebookId }, { documentsAdded: source });
      await transaction.insert(NotebookDocumentEntity, { ...key, source, name });
    }
    if (replaced !== undefined) {
      const { affected } = await transaction.update(
        NotebookDocumentEntity,
        { notebookId, documentId: replaced },
        { replacedBy: documentId, isEnabled: false },
      );
      if (!affected) throw documentNotFound();
    }
  }

  /**
   * The documents that a question searches, in the order of their numbers.
   * @param ids by default the documents that are switched on
   * @throws AppError NOT_FOUND if the notebook or one of the documents does not exist
   */
  async open(userId: string, notebookId: string, ids?: string[]): Promise<SourceDocument[]> {
    await findNotebook(this.dataSource, userId, notebookId);
    const entries = await this.dataSource.getRepository(NotebookDocumentEntity).find({
      where: { notebookId, replacedBy: IsNull(), ...(ids ? { documentId: In(ids) } : { isEnabled: true }) },
      order: { source: 'ASC' },
    });
    if (ids && entries.length < new Set(ids).size) throw documentNotFound();
    const stored = await this.dataSource
      .getRepository(PdfDocumentEntity)
      .findBy({ id: In(entries.map(({ documentId }) => documentId)) });
    const byId = new Map(stored.map((document) => [document.id, document]));
    return entries.flatMap(({ documentId: id, source, name }) => {
      const document = byId.get(id);
      if (!document) return [];
      const { pages, labels, details } = document;
      return [{ id, source, name, pages, labels, details }];
    });
  }

  private async read(notebookId: string, documentId: string | null): Promise<NotebookDocument[]> {
    const found = await queryRows(
      this.dataSource,
      documentSchema,
      `SELECT document.id, entry.name, document.kind, entry.source, entry.is_enabled, entry.replaced_by, entry.added_at,
         jsonb_array_length(document.pages) AS pages, document.file_key IS NOT NULL AS has_file,
         document.summary IS NOT NULL AS has_summary
       FROM notebook_documents AS entry JOIN pdf_documents AS document ON document.id = entry.document_id
       WHERE entry.notebook_id = $1 AND ($2::uuid IS NULL OR document.id = $2) ORDER BY entry.source`,
      [notebookId, documentId],
    );
    return found.map((row) => ({
      id: row.id,
      name: row.name,
      kind: row.kind,
      state: row.replaced_by === null ? ('ready' as const) : ('replaced' as const),
      jobId: null,
      message: null,
      source: row.source,
      enabled: row.is_enabled,
      pages: row.pages,
      hasFile: row.has_file,
      hasSummary: row.has_summary,
      addedAt: row.added_at.toISOString(),
      replacedBy: row.replaced_by,
    }));
  }

  /** The documents that jobs read, or could not read. */
  private async readJobs(userId: string, notebookId: string): Promise<NotebookDocument[]> {
    const found = await queryRows(
      this.dataSource,
      jobSchema,
      `SELECT id, title, status, error_message, created_at FROM jobs
       WHERE ${ADDS_DOCUMENT} AND status IN ('queued', 'running', 'failed')
         AND NOT EXISTS (SELECT FROM jobs AS retry WHERE retry.retry_of = jobs.id)
       ORDER BY created_at, id LIMIT ${2 * MAX_NOTEBOOK_DOCUMENTS}`,
      [userId, notebookId],
    );
    return found.map(({ id, title, status, error_message, created_at }) => ({
      id,
      name: title,
      kind: null,
      state: status === 'failed' ? ('failed' as const) : ('reading' as const),
      jobId: id,
      message: error_message,
      source: null,
      enabled: false,
      pages: null,
      hasFile: false,
      hasSummary: false,
      addedAt: created_at.toISOString(),
      replacedBy: null,
    }));
  }
}

/** SQL condition: the job is one of user $1 that adds a document to notebook $2. */
const ADDS_DOCUMENT = `user_id = $1 AND tool = 'add-notebook-document' AND input->>'notebook_id' = $2::text`;

const roomSchema = z.object({ documents: z.number(), bytes: z.coerce.number() });

/** @param added id of a document that is about to be added, whose text counts */
async function requireRoom(
  database: Database,
  notebookId: string,
  replaces?: string,
  added?: string,
): Promise<void> {
  const room = await queryRow(
    database,
    roomSchema,
    `SELECT (SELECT count(*)::integer FROM notebook_documents
         WHERE notebook_id = $1 AND replaced_by IS NULL AND document_id IS DISTINCT FROM $2::uuid
           AND document_id IS DISTINCT FROM $3::uuid) AS documents,
       (SELECT coalesce(sum(octet_length(pages::text)), 0) FROM pdf_documents WHERE id = $3::uuid OR id IN (
         SELECT document_id FROM notebook_documents WHERE notebook_id = $1)) AS bytes`,
    [notebookId, replaces ?? null, added ?? null],
  );
  if ((room?.documents ?? 0) >= MAX_NOTEBOOK_DOCUMENTS) {
    throw new AppError(
      'VALIDATION_FAILED',
      `A notebook has at most ${MAX_NOTEBOOK_DOCUMENTS} documents. Remove one first, or start another notebook.`,
    );
  }
  if ((room?.bytes ?? 0) > MAX_NOTEBOOK_TEXT_BYTES) {
    throw new AppError(
      'VALIDATION_FAILED',
      'The texts of this notebook are too long to be searched together. Remove a document first, or start another notebook.',
    );
  }
}

export const documentNotFound = () =>
  new AppError('NOT_FOUND', 'The notebook has no such document. It may have been removed.');

const documentSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: documentKindSchema,
  source: z.number(),
  is_enabled: z.boolean(),
  replaced_by: z.string().nullable(),
  added_at: z.date(),
  pages: z.number(),
  has_file: z.boolean(),
  has_summary: z.boolean(),
});

const jobSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['queued', 'running', 'failed']),
  error_message: z.string().nullable(),
  created_at: z.date(),
});
