import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import {
  MAX_NOTEBOOKS,
  type NotebookCitation,
  type NotebookMessage,
  type NotebookSummary,
} from '#libs/contract/notebooks.js';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { lockUser } from '#libs/accounts/lock-user.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import {
  NotebookDocumentEntity,
  NotebookEntity,
  PdfMessageEntity,
} from '#libs/database/entities/notebooks.js';
import { execute, queryColumns, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { addMessages, readLatestMessages, type MessagePage } from '#libs/documents/messages.js';
import { freeChatName } from '#libs/documents/pdf-chats.js';
import { removeDocuments } from '#libs/documents/remove-documents.js';
import { findNotebook, lockNotebook, notebookNotFound } from './find-notebook.js';

/** A question of a notebook's conversation and its answer. */
export interface NotebookExchange {
  notebookId: string;
  jobId: string;
  question: PdfChatMessage;
  answer: PdfChatMessage & { citations: NotebookCitation[] };
}

/** Users' notebooks, and their conversations. PDF chats, which are notebooks too, are not listed here. */
export class Notebooks {
  constructor(private readonly dataSource: Database) {}

  /** A user's notebooks, the last used first. */
  async list(userId: string): Promise<NotebookSummary[]> {
    return this.read(userId, null);
  }

  /** @throws AppError NOT_FOUND, also if the notebook is another user's */
  async get(userId: string, id: string): Promise<NotebookSummary> {
    const [notebook] = await this.read(userId, id);
    if (!notebook) throw notebookNotFound();
    return notebook;
  }

  private async read(userId: string, id: string | null): Promise<NotebookSummary[]> {
    const found = await queryRows(
      this.dataSource,
      summarySchema,
      `SELECT id, name, created_at, updated_at,
         (SELECT count(*)::integer FROM notebook_documents
          WHERE notebook_id = notebooks.id AND replaced_by IS NULL) AS documents,
         (SELECT count(*)::integer FROM pdf_messages WHERE notebook_id = notebooks.id) AS messages,
         (SELECT count(*)::integer FROM notebook_notes WHERE notebook_id = notebooks.id) AS notes
       FROM notebooks WHERE user_id = $1 AND CASE WHEN $2::uuid IS NULL THEN NOT is_pdf_chat ELSE id = $2 END
       ORDER BY updated_at DESC, id`,
      [userId, id],
    );
    return found.map(({ created_at, updated_at, ...counts }) => ({
      ...counts,
      createdAt: created_at.toISOString(),
      updatedAt: updated_at.toISOString(),
    }));
  }

  /** @throws AppError VALIDATION_FAILED if the user has too many notebooks */
  async add(userId: string, name: string): Promise<NotebookSummary> {
    const id = randomUUID();
    await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if ((await transaction.countBy(NotebookEntity, { userId, isPdfChat: false })) >= MAX_NOTEBOOKS) {
        throw new AppError(
          'VALIDATION_FAILED',
          `You can have up to ${MAX_NOTEBOOKS} notebooks. Delete one first.`,
        );
      }
      await transaction.insert(NotebookEntity, { id, userId, name });
    });
    return this.get(userId, id);
  }

  /** Renames a notebook or a PDF chat. A PDF chat gets a number if another has the name. @throws AppError NOT_FOUND */
  async rename(userId: string, id: string, name: string): Promise<NotebookSummary> {
    await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const notebook = await transaction.findOneBy(NotebookEntity, { id, userId });
      if (!notebook) throw notebookNotFound();
      const free = notebook.isPdfChat ? await freeChatName(transaction, userId, name, id) : name;
      await transaction.update(NotebookEntity, { id }, { name: free });
    });
    return this.get(userId, id);
  }

  /**
   * Deletes a notebook with its conversation, notes and ended jobs, and the documents that no other notebook has.
   * @throws AppError NOT_FOUND
   */
  async delete(userId: string, id: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, id);
      const documents = await transaction.findBy(NotebookDocumentEntity, { notebookId: id });
      await transaction.delete(NotebookEntity, { id });
      await removeDocuments(
        transaction,
        documents.map(({ documentId }) => documentId),
      );
      await execute(transaction, `DELETE FROM jobs WHERE ${IS_OF_NOTEBOOK} AND ${HAS_ENDED}`, [userId, id]);
    });
  }

  /** Ids of the unfinished jobs of a notebook. @throws AppError NOT_FOUND */
  async unfinishedJobs(userId: string, id: string): Promise<string[]> {
    await findNotebook(this.dataSource, userId, id);
    const found = await queryColumns(
      this.dataSource,
      JobEntity,
      ['id'],
      `SELECT id FROM jobs WHERE ${IS_OF_NOTEBOOK} AND NOT ${HAS_ENDED}`,
      [userId, id],
    );
    return found.map((job) => job.id);
  }

  /**
   * A page of messages, oldest first: the latest messages, or the messages before `cursor`.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED for an invalid cursor
   */
  async messages(
    userId: string,
    id: string,
    cursor?: string,
  ): Promise<{ messages: NotebookMessage[]; earlierCursor: string | null }> {
    await findNotebook(this.dataSource, userId, id);
    const page: MessagePage<NotebookCitation> = await readLatestMessages(this.dataSource, id, cursor);
    return page;
  }

  /** Deletes the messages of a notebook, and the ended jobs of its questions. @throws AppError NOT_FOUND */
  async clearMessages(userId: string, id: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, id);
      await transaction.delete(PdfMessageEntity, { notebookId: id });
      await execute(
        transaction,
        `DELETE FROM jobs WHERE ${IS_OF_NOTEBOOK} AND tool = 'ask-notebook' AND ${HAS_ENDED}`,
        [userId, id],
      );
    });
  }

  /**
   * Adds a question and its answer to the conversation.
   * @param transaction must also end the job
   * @throws AppError NOT_FOUND if the notebook was deleted while the job ran
   */
  async addExchange(transaction: Transaction, userId: string, exchange: NotebookExchange): Promise<void> {
    const { notebookId, jobId, question, answer } = exchange;
    await lockNotebook(transaction, userId, notebookId);
    await addMessages(transaction, { notebookId, documentId: null, jobId }, [question, answer]);
  }
}

/** SQL condition: the job is one of user $1 for notebook $2. */
const IS_OF_NOTEBOOK = `user_id = $1 AND coalesce(result->>'notebookId', input->>'notebook_id') = $2::text
  AND tool IN ('add-notebook-document', 'ask-notebook', 'notes-to-text')`;
const HAS_ENDED = `status IN ('succeeded', 'failed', 'cancelled')`;

const summarySchema = z.object({
  id: z.string(),
  name: z.string(),
  documents: z.number(),
  messages: z.number(),
  notes: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
});
