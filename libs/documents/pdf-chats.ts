import { In, IsNull, Not } from 'typeorm';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import type { PdfChatMessage, PdfChatSummary, PdfWord } from '#libs/contract/pdf-chats.js';
import { pdfAttachmentSchema } from '#libs/contract/pdf-details.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import {
  PdfDocumentEntity,
  PdfMessageEntity,
  PdfScannedPageEntity,
} from '#libs/database/entities/pdf-documents.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { pageOfNext } from '#libs/database/page.js';
import {
  execute,
  queryColumns,
  queryEntity,
  queryRows,
  type Database,
  type Transaction,
} from '#libs/database/sql.js';
import { markFilesForDeletion } from '#libs/storage/stored-files.js';
import { toDocument, type PdfDocument } from './pdf-document.js';
import { freeName } from './file-names.js';

/** A conversation about a document. `document.name` is its unique name in the user's list of conversations. */
export interface PdfChat {
  document: PdfDocument;
  messages: PdfChatMessage[];
}

/** A question and its answer. */
export interface Exchange {
  documentId: string;
  jobId: string;
  /** Messages before the question that the client sent. Stored only if the conversation has no messages yet. */
  earlier: PdfChatMessage[];
  question: PdfChatMessage;
  answer: PdfChatMessage;
}

export interface PdfChatPage {
  messages: PdfChatMessage[];
  /** Cursor of the page with earlier messages; null if there are none. */
  earlierCursor: string | null;
}

const LAST_MESSAGE_CHARACTERS = 200;
const MAX_CHATS_LISTED = 100;
const MAX_MESSAGES_LISTED = 1_000;
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/** Users' conversations about their PDF documents, at most one for each document. */
export class PdfChats {
  constructor(private readonly dataSource: Database) {}

  /**
   * Opens the conversation about a document, and starts it if there is none. Then it gets the name of the document's file,
   * with a number if another conversation of the user has this name.
   */
  async open(userId: string, document: PdfDocument): Promise<PdfChat> {
    const name = await this.dataSource.transaction(async (transaction) => {
      // Locks the user's row, so that concurrent calls do not choose the same name.
      await transaction.findOne(UserEntity, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });
      const found = await transaction.find(PdfDocumentEntity, {
        select: { id: true, chatName: true },
        where: { userId, chatName: Not(IsNull()) },
      });
      const chatName = found.find(({ id }) => id === document.id)?.chatName;
      if (chatName) return chatName;
      const free = freeName(document.name, new Set(found.map((each) => each.chatName ?? '')));
      await transaction.update(PdfDocumentEntity, { id: document.id }, { chatName: free });
      return free;
    });
    return { document: { ...document, name }, messages: await readMessages(this.dataSource, document.id) };
  }

  /** Finds the conversation about a document. @throws AppError NOT_FOUND, also if the document is another user's */
  async find(userId: string, by: { id: string } | { name: string }): Promise<PdfChat> {
    const [column, value] = 'id' in by ? ['id', by.id] : ['chat_name', by.name.normalize('NFC')];
    const found = await queryEntity(
      this.dataSource,
      PdfDocumentEntity,
      `UPDATE pdf_documents SET used_at = now()
       WHERE user_id = $1 AND ${column} = $2 AND chat_name IS NOT NULL RETURNING *`,
      [userId, value],
    );
    if (!found?.chatName) throw noSuchChat();
    const document = toDocument(found, found.chatName);
    return { document, messages: await readMessages(this.dataSource, found.id) };
  }

  /**
   * A page of messages about a document, oldest first: the latest messages, or the messages before `cursor`.
   * @throws AppError NOT_FOUND if there are none, or if the document is another user's; VALIDATION_FAILED for an invalid
   *   cursor
   */
  async messages(userId: string, name: string, cursor?: string): Promise<PdfChatPage> {
    const before = cursor === undefined ? null : decodeCursor(cursor, messageIdSchema);
    const page = await readLatestMessages(this.dataSource, await this.idOf(userId, name), before);
    // A conversation whose first question was never answered has a name but no messages. Treats it as missing.
    if (page.messages.length === 0 && !before) throw noSuchChat();
    return page;
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
      `SELECT document.id, document.chat_name, jsonb_array_length(document.pages) AS pages,
         document.file_key IS NOT NULL AS has_file, coalesce(document.attachments, '[]') AS attachments,
         (SELECT count(*)::integer FROM pdf_messages WHERE document_id = document.id) AS messages,
         last.created_at AS updated_at, left(last.content, ${LAST_MESSAGE_CHARACTERS}) AS last_message
       FROM pdf_documents AS document
       CROSS JOIN LATERAL (
         SELECT content, created_at FROM pdf_messages WHERE document_id = document.id
         ORDER BY asked_at DESC, id DESC LIMIT 1) AS last
       WHERE document.user_id = $1
         AND ($2::timestamptz IS NULL OR (last.created_at, document.id) < ($2, $3::uuid))
       ORDER BY last.created_at DESC, document.id DESC LIMIT $4::integer + 1`,
      [userId, after?.time ?? null, after?.id ?? null, MAX_CHATS_LISTED],
    );
    const page = found.slice(0, MAX_CHATS_LISTED);
    const last = page.at(-1);
    return {
      documents: page.map(
        ({ id, chat_name, last_message, messages, pages, has_file, attachments, updated_at }) => ({
          id,
          fileName: chat_name,
          lastMessage: last_message,
          messages,
          pages,
          hasFile: has_file,
          attachments,
          updatedAt: updated_at.toISOString(),
        }),
      ),
      nextCursor: found.length > page.length && last ? encodeCursor(last.updated_at, last.id) : null,
    };
  }

  /**
   * The words of a scanned page with their positions; empty for a page with a text layer.
   * @throws AppError NOT_FOUND, also if the document is another user's
   */
  async words(userId: string, name: string, page: number): Promise<PdfWord[]> {
    const documentId = await this.idOf(userId, name);
    const scanned = await this.dataSource.getRepository(PdfScannedPageEntity).findOneBy({ documentId, page });
    return scanned?.words ?? [];
  }

  private async idOf(userId: string, name: string): Promise<string> {
    const document = await this.dataSource
      .getRepository(PdfDocumentEntity)
      .findOne({ select: { id: true }, where: { userId, chatName: name.normalize('NFC') } });
    if (!document) throw noSuchChat();
    return document.id;
  }

  /**
   * Adds a question and its answer. Messages are sorted by the time of the question, even if answers arrive in another
   * order.
   * @param transaction must also end the job
   * @throws AppError NOT_FOUND if the conversation was deleted while the job ran
   */
  async add(transaction: Transaction, exchange: Exchange): Promise<void> {
    const { documentId, jobId, earlier, question, answer } = exchange;
    // Also locks the document's row, so that only one transaction adds messages at a time.
    const locked = await execute(transaction, `UPDATE pdf_documents SET used_at = now() WHERE id = $1`, [
      documentId,
    ]);
    if (locked === 0) throw noSuchChat();
    const begun = await transaction.existsBy(PdfMessageEntity, { documentId });
    for (const { role, content, citations, engine, model } of [...(begun ? [] : earlier), question, answer]) {
      await execute(
        transaction,
        `INSERT INTO pdf_messages (document_id, role, content, citations, engine, model, asked_at)
         SELECT $1, $2, $3, $4, $5, $6, created_at FROM jobs WHERE id = $7`,
        [
          documentId,
          role,
          content,
          citations ? JSON.stringify(citations) : null,
          engine ?? null,
          model ?? null,
          jobId,
        ],
      );
    }
  }

  /**
   * Deletes conversations with their messages, documents and ended jobs. Files are marked for deletion: a sweep deletes the
   * bytes.
   * @param name the conversation to delete; by default all conversations of the user
   * @throws AppError NOT_FOUND if there is no conversation with this name
   */
  async clear(userId: string, name?: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const removed = await queryColumns(
        transaction,
        PdfDocumentEntity,
        ['id', 'chatName', 'sha256', 'fileKey'],
        `DELETE FROM pdf_documents
         WHERE user_id = $1 AND chat_name IS NOT NULL AND chat_name = coalesce($2, chat_name)
         RETURNING id, chat_name, sha256, file_key`,
        [userId, name?.normalize('NFC') ?? null],
      );
      if (name !== undefined && removed.length === 0) throw noSuchChat();
      await markFilesForDeletion(
        transaction,
        removed.flatMap(({ fileKey }) => fileKey ?? []),
      );
      await deleteEndedJobs(transaction, userId, name === undefined ? null : removed);
    });
  }

  /** Ids of the unfinished jobs with a question about a document. @param name by default all documents of the user */
  async unfinishedJobs(userId: string, name?: string): Promise<string[]> {
    const asked =
      name === undefined
        ? null
        : await this.dataSource
            .getRepository(PdfDocumentEntity)
            .findBy({ userId, chatName: name.normalize('NFC') });
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
}

type DocumentKeys = Pick<PdfDocumentEntity, 'id' | 'chatName' | 'sha256'>[] | null;

/** Parameters $2 to $4 for {@link ASKS_ABOUT}. With null, the condition is true for every job. */
const parametersOf = (documents: DocumentKeys) =>
  documents === null
    ? [null, null, null]
    : [
        documents.map(({ id }) => id),
        documents.map(({ chatName }) => chatName),
        documents.map(({ sha256 }) => sha256),
      ];

/**
 * SQL condition: a job has a question about one of the documents in $2 (ids), $3 (names) and $4 (hashes). Compares the
 * document in the job's result, in its input, or the uploaded file, in this order. True if the job has none of them.
 */
const ASKS_ABOUT = `($2::text[] IS NULL OR CASE
    WHEN result ? 'documentId' THEN result->>'documentId' = ANY ($2)
    WHEN input ? 'document_id' THEN input->>'document_id' = ANY ($2)
    WHEN input ? 'file_name' THEN input->>'file_name' = ANY ($3::text[])
    ELSE coalesce((SELECT sha256 = '' OR sha256 = ANY ($4::text[]) FROM objects WHERE key = files->>'pdf'), true)
  END)`;

/** Includes failed and cancelled jobs, because their input and title contain the user's question. */
async function deleteEndedJobs(transaction: Transaction, userId: string, about: DocumentKeys): Promise<void> {
  await execute(
    transaction,
    `DELETE FROM jobs
     WHERE user_id = $1 AND tool = 'chat-with-pdf' AND status IN ('succeeded', 'failed', 'cancelled')
       AND ${ASKS_ABOUT}`,
    [userId, ...parametersOf(about)],
  );
}

/** Reads the latest messages about a document, or the messages before a cursor; oldest first. */
export async function readLatestMessages(
  database: Database,
  documentId: string,
  before: { time: string; id: string } | null = null,
): Promise<PdfChatPage> {
  const found = await queryRows(
    database,
    z.object({ id: z.string(), fits: z.boolean() }),
    `WITH next AS (
       SELECT id, asked_at AS created_at, octet_length(content) + octet_length(coalesce(citations::text, '')) AS bytes
       FROM pdf_messages WHERE document_id = $1 AND ($2::timestamptz IS NULL OR (asked_at, id) < ($2, $3::bigint))
       ${NEWEST_FIRST} LIMIT $4::integer + 1
     ), ${pageOfNext(NEWEST_FIRST, '$4')}
     SELECT id, fits FROM page`,
    [documentId, before?.time ?? null, before?.id ?? null, MAX_MESSAGES_LISTED],
  );
  const ids = found.filter(({ fits }) => fits).map(({ id }) => id);
  const page = await database
    .getRepository(PdfMessageEntity)
    .find({ where: { id: In(ids) }, order: { askedAt: 'ASC', id: 'ASC' } });
  const first = page[0];
  return {
    messages: page.map(toMessage),
    earlierCursor: found.length > ids.length && first ? encodeCursor(first.askedAt, first.id) : null,
  };
}

async function readMessages(database: Database, documentId: string): Promise<PdfChatMessage[]> {
  const found = await database
    .getRepository(PdfMessageEntity)
    .find({ where: { documentId }, order: { askedAt: 'ASC', id: 'ASC' } });
  return found.map(toMessage);
}

const toMessage = ({
  role,
  content,
  citations,
  engine,
  model,
  createdAt,
}: PdfMessageEntity): PdfChatMessage => ({
  role,
  content,
  ...(citations && { citations }),
  ...(engine && { engine }),
  ...(model && { model }),
  createdAt: createdAt.toISOString(),
});

const messageIdSchema = z.string().regex(/^\d{1,18}$/);

const summarySchema = z.object({
  id: z.string(),
  chat_name: z.string(),
  pages: z.number(),
  messages: z.number(),
  has_file: z.boolean(),
  attachments: z.array(pdfAttachmentSchema),
  updated_at: z.date(),
  last_message: z.string(),
});

const noSuchChat = () => new AppError('NOT_FOUND', 'There is no such document. It may have been cleared.');
