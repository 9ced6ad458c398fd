import { randomUUID } from 'node:crypto';
import { In } from 'typeorm';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import type { PdfChatMessage, PdfChatSummary, PdfWord } from '#libs/contract/pdf-chats.js';
import { pdfAttachmentSchema } from '#libs/contract/pdf-details.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import {
  NotebookDocumentEntity,
  NotebookEntity,
  PdfMessageEntity,
} from '#libs/database/entities/notebooks.js';
import { PdfDocumentEntity, PdfScannedPageEntity } from '#libs/database/entities/pdf-documents.js';
import { UserEntity } from '#libs/database/entities/users.js';
import {
  execute,
  queryColumns,
  queryEntity,
  queryRows,
  type Database,
  type Transaction,
} from '#libs/database/sql.js';
import { freeName, toFileName } from './file-names.js';
import { addMessages, readLatestMessages, toMessage, withoutId } from './messages.js';
import { toDocument, type PdfDocument } from './pdf-document.js';
import { removeDocuments } from './remove-documents.js';

/** A conversation about a PDF. `document.name` is its unique name in the user's list of conversations. */
export interface PdfChat {
  notebookId: string;
  document: PdfDocument;
  messages: PdfChatMessage[];
}

/** A question and its answer. */
export interface Exchange {
  notebookId: string;
  documentId: string;
  jobId: string;
  /** Messages before the question that the client sent. Stored only if the conversation has no messages yet. */
  earlier: PdfChatMessage[];
  question: PdfChatMessage;
  answer: PdfChatMessage;
}

interface PdfChatPage {
  messages: PdfChatMessage[];
  /** Cursor of the page with earlier messages; null if there are none. */
  earlierCursor: string | null;
}

interface OpenOptions {
  /** Name of the uploaded file; by default its name at the first upload. */
  fileName?: string;
  /** Whether to continue the latest conversation about the same content. Default: `continue`. */
  conversation?: 'continue' | 'new';
}

const LAST_MESSAGE_CHARACTERS = 200;
const MAX_CHATS_LISTED = 100;

/** Users' conversations about one PDF each. A conversation is a notebook with one document. */
export class PdfChats {
  constructor(private readonly dataSource: Database) {}

  /**
   * Opens the latest conversation about a document, or starts one. Its name is the name of the file, with a number if
   * another conversation of the user has this name. A file under another name renames the conversation.
   */
  async open(
    userId: string,
    document: PdfDocument,
    { fileName = document.name, conversation = 'continue' }: OpenOptions = {},
  ): Promise<PdfChat> {
    const { notebookId, name } = await this.dataSource.transaction(async (transaction) => {
      // Locks the user's row, so that concurrent calls do not choose the same name.
      await transaction.findOne(UserEntity, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });
      const latest = conversation === 'new' ? undefined : await findLatest(transaction, userId, document.id);
      return openNotebook(transaction, { userId, documentId: document.id, latest, fileName });
    });
    return {
      notebookId,
      document: { ...document, name },
      messages: await readMessages(this.dataSource, notebookId),
    };
  }

  /**
   * Finds a conversation, by its document the latest.
   * @throws AppError NOT_FOUND, also if the conversation is another user's
   */
  async find(
    userId: string,
    by: { documentId: string } | { notebookId: string } | { name: string },
  ): Promise<PdfChat> {
    const notebook = await this.findNotebook(userId, by);
    const found = await queryEntity(
      this.dataSource,
      PdfDocumentEntity,
      `UPDATE pdf_documents SET used_at = now()
       WHERE id = (SELECT document_id FROM notebook_documents WHERE notebook_id = $1) RETURNING *`,
      [notebook.id],
    );
    if (!found) throw noSuchChat();
    return {
      notebookId: notebook.id,
      document: toDocument(found, notebook.name),
      messages: await readMessages(this.dataSource, notebook.id),
    };
  }

  private async findNotebook(
    userId: string,
    by: { documentId: string } | { notebookId: string } | { name: string },
  ): Promise<NotebookEntity> {
    const notebooks = this.dataSource.getRepository(NotebookEntity);
    const notebook =
      'documentId' in by
        ? await findLatest(this.dataSource, userId, by.documentId)
        : await notebooks.findOneBy({
            userId,
            isPdfChat: true,
            ...('name' in by ? { name: by.name.normalize('NFC') } : { id: by.notebookId }),
          });
    if (!notebook) throw noSuchChat();
    return notebook;
  }

  /**
   * A page of messages of a conversation, oldest first: the latest messages, or the messages before `cursor`.
   * @throws AppError NOT_FOUND if there are none, or if the conversation is another user's; VALIDATION_FAILED for an
   *   invalid cursor
   */
  async messages(userId: string, name: string, cursor?: string): Promise<PdfChatPage> {
    const { id } = await this.findNotebook(userId, { name });
    const page = await readLatestMessages(this.dataSource, id, cursor);
    // A conversation whose first question was never answered has a name but no messages. Treats it as missing.
    if (page.messages.length === 0 && cursor === undefined) throw noSuchChat();
    return { ...page, messages: page.messages.map(withoutId) };
  }

  /**
   * A page of a user's conversations, sorted by their latest message, newest first.
   * @throws AppError VALIDATION_FAILED for an invalid cursor
   */
  async list(
    userId: string,
    cursor?: string,
  ): Promise<{ documents: PdfChatSummary[]; nextCursor: string | null }> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const found = await queryRows(
      this.dataSource,
      summarySchema,
      `SELECT notebook.id AS notebook_id, document.id, notebook.name, jsonb_array_length(document.pages) AS pages,
         document.file_key IS NOT NULL AS has_file, coalesce(document.attachments, '[]') AS attachments,
         (SELECT count(*)::integer FROM pdf_messages WHERE notebook_id = notebook.id) AS messages,
         last.created_at AS updated_at, left(last.content, ${LAST_MESSAGE_CHARACTERS}) AS last_message
       FROM notebooks AS notebook
       JOIN notebook_documents AS entry ON entry.notebook_id = notebook.id
       JOIN pdf_documents AS document ON document.id = entry.document_id
       CROSS JOIN LATERAL (
         SELECT content, created_at FROM pdf_messages WHERE notebook_id = notebook.id
         ORDER BY asked_at DESC, id DESC LIMIT 1) AS last
       WHERE notebook.user_id = $1 AND notebook.is_pdf_chat
         AND ($2::timestamptz IS NULL OR (last.created_at, notebook.id) < ($2, $3::uuid))
       ORDER BY last.created_at DESC, notebook.id DESC LIMIT $4::integer + 1`,
      [userId, after?.time ?? null, after?.id ?? null, MAX_CHATS_LISTED],
    );
    const page = found.slice(0, MAX_CHATS_LISTED);
    const last = page.at(-1);
    return {
      documents: page.map(
        ({ notebook_id, id, name, last_message, messages, pages, has_file, attachments, updated_at }) => ({
          id,
          notebookId: notebook_id,
          fileName: name,
          lastMessage: last_message,
          messages,
          pages,
          hasFile: has_file,
          attachments,
          updatedAt: updated_at.toISOString(),
        }),
      ),
      nextCursor: found.length > page.length && last ? encodeCursor(last.updated_at, last.notebook_id) : null,
    };
  }

  /** The conversations with messages about a file with this content, the latest first. */
  async findSame(userId: string, sha256: string): Promise<{ notebookId: string; fileName: string }[]> {
    const found = await queryColumns(
      this.dataSource,
      NotebookEntity,
      ['id', 'name'],
      `SELECT notebooks.id, notebooks.name FROM notebooks JOIN notebook_documents ON notebook_id = notebooks.id
       JOIN pdf_documents ON pdf_documents.id = document_id
       WHERE notebooks.user_id = $1 AND is_pdf_chat AND sha256 = $2
         AND EXISTS (SELECT FROM pdf_messages WHERE notebook_id = notebooks.id)
       ORDER BY updated_at DESC`,
      [userId, sha256],
    );
    return found.map(({ id, name }) => ({ notebookId: id, fileName: name }));
  }

  /**
   * The words of a scanned page with their positions; empty for a page with a text layer.
   * @throws AppError NOT_FOUND, also if the conversation is another user's
   */
  async words(userId: string, name: string, page: number): Promise<PdfWord[]> {
    const documentId = await this.documentIdOf(userId, name);
    const scanned = await this.dataSource.getRepository(PdfScannedPageEntity).findOneBy({ documentId, page });
    return scanned?.words ?? [];
  }

  /** Id of the document of a conversation. @throws AppError NOT_FOUND */
  async documentIdOf(userId: string, name: string): Promise<string> {
    const { id } = await this.findNotebook(userId, { name });
    const entry = await this.dataSource.getRepository(NotebookDocumentEntity).findOneBy({ notebookId: id });
    if (!entry) throw noSuchChat();
    return entry.documentId;
  }

  /**
   * Adds a question and its answer.
   * @param transaction must also end the job
   * @throws AppError NOT_FOUND if the conversation was deleted while the job ran
   */
  async add(transaction: Transaction, exchange: Exchange): Promise<void> {
    const { notebookId, earlier, question, answer } = exchange;
    // Also locks the notebook's row, so that only one transaction adds messages at a time.
    const locked = await execute(transaction, `UPDATE notebooks SET updated_at = now() WHERE id = $1`, [
      notebookId,
    ]);
    if (locked === 0) throw noSuchChat();
    const begun = await transaction.existsBy(PdfMessageEntity, { notebookId });
    await addMessages(transaction, exchange, [...(begun ? [] : earlier), question, answer]);
  }

  /**
   * Deletes conversations with their messages, ended jobs, and documents that no notebook has.
   * @param name the conversation to delete; by default all conversations of the user
   * @throws AppError NOT_FOUND if there is no conversation with this name
   */
  async clear(userId: string, name?: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const removed = await this.keysOf(transaction, userId, name);
      if (name !== undefined && removed.length === 0) throw noSuchChat();
      await transaction.delete(NotebookEntity, { id: In(removed.map(({ notebookId }) => notebookId)) });
      await removeDocuments(
        transaction,
        removed.map(({ documentId }) => documentId),
      );
      await deleteEndedJobs(transaction, userId, name === undefined ? null : removed);
    });
  }

  /** Ids of the unfinished jobs with a question of a conversation. @param name by default all conversations of the user */
  async unfinishedJobs(userId: string, name?: string): Promise<string[]> {
    const asked = name === undefined ? null : await this.keysOf(this.dataSource, userId, name);
    const found = await queryColumns(
      this.dataSource,
      JobEntity,
      ['id'],
      `SELECT id FROM jobs
       WHERE user_id = $1 AND tool = 'chat-with-pdf' AND status IN ('queued', 'running') AND ${ASKS_ABOUT}`,
      [userId, ...parametersOf(asked)],
    );
    return found.map(({ id }) => id);
  }

  private async keysOf(database: Database, userId: string, name?: string): Promise<ChatKeys[]> {
    const found = await queryRows(
      database,
      keysSchema,
      `SELECT notebook.id AS notebook_id, notebook.name, document.id AS document_id, document.sha256,
         NOT EXISTS (SELECT FROM notebook_documents AS other JOIN notebooks ON notebooks.id = other.notebook_id
           WHERE other.document_id = document.id AND is_pdf_chat AND notebooks.id <> notebook.id) AS is_only
       FROM notebooks AS notebook JOIN notebook_documents ON notebook_documents.notebook_id = notebook.id
       JOIN pdf_documents AS document ON document.id = document_id
       WHERE notebook.user_id = $1 AND notebook.is_pdf_chat AND notebook.name = coalesce($2, notebook.name)`,
      [userId, name?.normalize('NFC') ?? null],
    );
    return found.map(({ notebook_id, document_id, is_only, ...keys }) => ({
      notebookId: notebook_id,
      documentId: document_id,
      isOnly: is_only,
      ...keys,
    }));
  }
}

const keysSchema = z.object({
  notebook_id: z.string(),
  name: z.string(),
  document_id: z.string(),
  sha256: z.string(),
  is_only: z.boolean(),
});

interface ChatKeys {
  notebookId: string;
  name: string;
  documentId: string;
  sha256: string;
  /** True if no other PDF chat is about this document. */
  isOnly: boolean;
}

/** Parameters $2 to $5 for {@link ASKS_ABOUT}. With null, the condition is true for every job. */
function parametersOf(chats: ChatKeys[] | null) {
  if (chats === null) return [null, null, null, null];
  // A job that names only a document may be of another conversation about it.
  const only = chats.filter(({ isOnly }) => isOnly);
  return [
    chats.map(({ notebookId }) => notebookId),
    only.map(({ documentId }) => documentId),
    chats.map(({ name }) => name),
    only.map(({ sha256 }) => sha256),
  ];
}

/**
 * SQL condition: a job has a question of one of the conversations in $2 (ids), about the documents in $3 (ids), $4 (names)
 * and $5 (hashes). Compares the conversation in the job's result, in its input, or the uploaded file, in this order. True if
 * the job has none of them. A result of an older version has only the document's id, which is its conversation's id too.
 */
const ASKS_ABOUT = `($2::text[] IS NULL OR CASE
    WHEN result ? 'documentId' THEN coalesce(result->>'notebookId', result->>'documentId') = ANY ($2)
    WHEN input ? 'notebook_id' THEN input->>'notebook_id' = ANY ($2)
    WHEN input ? 'document_id' THEN input->>'document_id' = ANY ($3::text[])
    WHEN input ? 'file_name' THEN input->>'file_name' = ANY ($4::text[])
    ELSE coalesce((SELECT sha256 = '' OR sha256 = ANY ($5::text[]) FROM objects WHERE key = files->>'pdf'), true)
  END)`;

/** Includes failed and cancelled jobs, because their input and title contain the user's question. */
async function deleteEndedJobs(
  transaction: Transaction,
  userId: string,
  about: ChatKeys[] | null,
): Promise<void> {
  await execute(
    transaction,
    `DELETE FROM jobs
     WHERE user_id = $1 AND tool = 'chat-with-pdf' AND status IN ('succeeded', 'failed', 'cancelled')
       AND ${ASKS_ABOUT}`,
    [userId, ...parametersOf(about)],
  );
}

/** The last used PDF chat about a document. */
const findLatest = (database: Database, userId: string, documentId: string) =>
  queryEntity(
    database,
    NotebookEntity,
    `SELECT notebooks.* FROM notebooks JOIN notebook_documents ON notebook_id = notebooks.id
     WHERE user_id = $1 AND document_id = $2 AND is_pdf_chat ORDER BY updated_at DESC LIMIT 1`,
    [userId, documentId],
  );

interface Opening {
  fileName: string;
  userId: string;
  documentId: string;
  latest: NotebookEntity | undefined;
}

async function openNotebook(
  transaction: Transaction,
  { userId, documentId, latest, fileName }: Opening,
): Promise<{ notebookId: string; name: string }> {
  const given = toFileName(fileName);
  const entry = latest && (await transaction.findOneBy(NotebookDocumentEntity, { notebookId: latest.id }));
  // The user may have renamed the conversation, so only another file name than the last one changes it.
  if (latest && entry?.name === given) return { notebookId: latest.id, name: latest.name };
  const name = await freeChatName(transaction, userId, given, latest?.id);
  // A document's first conversation has the document's id, like the conversations of older versions.
  const isFirst = !latest && !(await transaction.existsBy(NotebookEntity, { id: documentId }));
  const notebookId = latest?.id ?? (isFirst ? documentId : randomUUID());
  const isNew = !latest;
  if (isNew)
    await transaction.insert(NotebookEntity, {
      id: notebookId,
      userId,
      name,
      isPdfChat: true,
      documentsAdded: 1,
    });
  else await transaction.update(NotebookEntity, { id: notebookId }, { name });
  await transaction.upsert(NotebookDocumentEntity, { notebookId, documentId, source: 1, name: given }, [
    'notebookId',
    'documentId',
  ]);
  await transaction.update(PdfDocumentEntity, { id: documentId }, { chatName: name });
  return { notebookId, name };
}

/** @param but id of the conversation that gets the name */
export async function freeChatName(
  transaction: Transaction,
  userId: string,
  name: string,
  but?: string,
): Promise<string> {
  const others = await transaction.find(NotebookEntity, {
    select: { id: true, name: true },
    where: { userId, isPdfChat: true },
  });
  return freeName(name, new Set(others.filter(({ id }) => id !== but).map((other) => other.name)));
}

async function readMessages(database: Database, notebookId: string): Promise<PdfChatMessage[]> {
  const found = await database
    .getRepository(PdfMessageEntity)
    .find({ where: { notebookId }, order: { askedAt: 'ASC', id: 'ASC' } });
  return found.map((message) => withoutId(toMessage(message)));
}

const summarySchema = z.object({
  notebook_id: z.string(),
  id: z.string(),
  name: z.string(),
  pages: z.number(),
  messages: z.number(),
  has_file: z.boolean(),
  attachments: z.array(pdfAttachmentSchema),
  updated_at: z.date(),
  last_message: z.string(),
});

const noSuchChat = () => new AppError('NOT_FOUND', 'There is no such document. It may have been cleared.');
