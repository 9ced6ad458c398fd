import { IsNull, Not } from 'typeorm';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import type { PdfChatMessage, PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { PdfDocumentEntity, PdfMessageEntity } from '#libs/database/entities/pdf-documents.js';
import { UserEntity } from '#libs/database/entities/users.js';
import {
  execute,
  queryColumns,
  queryEntity,
  queryRows,
  type Database,
  type Transaction,
} from '#libs/database/sql.js';
import type { PdfDocument } from './pdf-document.js';
import { freeName } from './file-names.js';

/** A document that is or was talked about; its `name` is the one it is listed under. */
export interface PdfChat {
  document: PdfDocument;
  messages: PdfChatMessage[];
}

/** What one question leaves in a conversation. */
export interface Exchange {
  documentId: string;
  jobId: string;
  /** What was said before, as the client has it: stored where the conversation is still empty. */
  earlier: PdfChatMessage[];
  question: PdfChatMessage;
  answer: PdfChatMessage;
}

const LAST_MESSAGE_CHARACTERS = 200;

/** Users' conversations about their PDF documents. A document is found by its id, or by the name it is listed under. */
export class PdfChats {
  constructor(private readonly dataSource: Database) {}

  /**
   * The conversation about a document that was just read. The first time gives the document the name that it is
   * listed under from then on: its file's, with a number behind it where the user has another of that name.
   */
  async open(userId: string, document: PdfDocument): Promise<PdfChat> {
    const name = await this.dataSource.transaction(async (transaction) => {
      // Holding the user's row puts that user's namings in a line.
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

  /** @throws AppError NOT_FOUND, also for somebody else's */
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
    const document = { id: found.id, name: found.chatName, pages: found.pages };
    return { document, messages: await readMessages(this.dataSource, found.id) };
  }

  /** The messages about a document, in order. @throws AppError NOT_FOUND where there are none, also for somebody else's */
  async messages(userId: string, name: string): Promise<PdfChatMessage[]> {
    const found = await this.dataSource
      .getRepository(PdfDocumentEntity)
      .findOne({ select: { id: true }, where: { userId, chatName: name.normalize('NFC') } });
    // A document whose first question never got an answer has a name and no conversation.
    const messages = found ? await readMessages(this.dataSource, found.id) : [];
    if (messages.length === 0) throw noSuchChat();
    return messages;
  }

  /** A user's conversations, the one with the latest message first. */
  async list(userId: string): Promise<PdfChatSummary[]> {
    const found = await queryRows(
      this.dataSource,
      summarySchema,
      `SELECT document.id, document.chat_name, jsonb_array_length(document.pages) AS pages,
         document.file_key IS NOT NULL AS has_file,
         (SELECT count(*)::integer FROM pdf_messages WHERE document_id = document.id) AS messages,
         last.created_at AS updated_at, left(last.content, ${LAST_MESSAGE_CHARACTERS}) AS last_message
       FROM pdf_documents AS document
       CROSS JOIN LATERAL (
         SELECT id, content, created_at FROM pdf_messages WHERE document_id = document.id
         ORDER BY asked_at DESC, id DESC LIMIT 1) AS last
       WHERE document.user_id = $1
       ORDER BY last.created_at DESC, last.id DESC`,
      [userId],
    );
    return found.map(({ id, chat_name, last_message, messages, pages, has_file, updated_at }) => ({
      id,
      fileName: chat_name,
      lastMessage: last_message,
      messages,
      pages,
      hasFile: has_file,
      updatedAt: updated_at.toISOString(),
    }));
  }

  /**
   * Adds a question and its answer, within the transaction that ends their job. Questions stand in the order in which
   * they were asked, whichever answer came first.
   * @returns the whole conversation; without a document, which was cleared meanwhile, only what was handed in
   */
  async add(transaction: Transaction, exchange: Exchange): Promise<PdfChatMessage[]> {
    const { documentId, jobId, earlier, question, answer } = exchange;
    // Whoever holds the document's row adds alone.
    const locked = await execute(transaction, `UPDATE pdf_documents SET used_at = now() WHERE id = $1`, [
      documentId,
    ]);
    if (locked === 0) return [...earlier, question, answer];
    const begun = await transaction.existsBy(PdfMessageEntity, { documentId });
    for (const { role, content, citations, engine } of [...(begun ? [] : earlier), question, answer]) {
      await execute(
        transaction,
        `INSERT INTO pdf_messages (document_id, role, content, citations, engine, asked_at)
         SELECT $1, $2, $3, $4, $5, created_at FROM jobs WHERE id = $6`,
        [documentId, role, content, citations ? JSON.stringify(citations) : null, engine ?? null, jobId],
      );
    }
    return readMessages(transaction, documentId);
  }

  /**
   * Removes conversations with all that belongs to them: messages, the document's text and its file (the bytes go with
   * the next sweep), and the ended jobs that have the answers in their results.
   * @param name the one to remove; without it all of the user's
   * @throws AppError NOT_FOUND when there is none of this name
   */
  async clear(userId: string, name?: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const removed = await queryColumns(
        transaction,
        PdfDocumentEntity,
        ['id'],
        `DELETE FROM pdf_documents
         WHERE user_id = $1 AND chat_name IS NOT NULL AND chat_name = coalesce($2, chat_name) RETURNING id`,
        [userId, name?.normalize('NFC') ?? null],
      );
      if (name !== undefined && removed.length === 0) throw noSuchChat();
      await execute(
        transaction,
        `DELETE FROM jobs
         WHERE user_id = $1 AND tool = 'chat-with-pdf' AND status = 'succeeded' AND result->>'documentId' = ANY ($2)`,
        [userId, removed.map(({ id }) => id)],
      );
    });
  }
}

async function readMessages(database: Database, documentId: string): Promise<PdfChatMessage[]> {
  const found = await database
    .getRepository(PdfMessageEntity)
    .find({ where: { documentId }, order: { askedAt: 'ASC', id: 'ASC' } });
  return found.map(({ role, content, citations, engine, createdAt }) => ({
    role,
    content,
    ...(citations && { citations }),
    ...(engine && { engine }),
    createdAt: createdAt.toISOString(),
  }));
}

const summarySchema = z.object({
  id: z.string(),
  chat_name: z.string(),
  pages: z.number(),
  messages: z.number(),
  has_file: z.boolean(),
  updated_at: z.date(),
  last_message: z.string(),
});

const noSuchChat = () => new AppError('NOT_FOUND', 'There is no such document. It may have been cleared.');
