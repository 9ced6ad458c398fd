import { In } from 'typeorm';
import { z } from 'zod';
import type { NotebookCitation } from '#libs/contract/notebooks.js';
import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { PdfMessageEntity } from '#libs/database/entities/notebooks.js';
import { pageOfNext } from '#libs/database/page.js';
import { execute, queryRows, type Database, type Transaction } from '#libs/database/sql.js';

/** A message of a PDF chat or a notebook, as it is stored. */
export type StoredMessage<C extends Citation = Citation> = Omit<PdfChatMessage, 'citations'> & {
  id: string;
  citations?: C[];
};

export interface MessagePage<C extends Citation = Citation> {
  messages: StoredMessage<C>[];
  /** Cursor of the page with earlier messages; null if there are none. */
  earlierCursor: string | null;
}

/** A message to add. */
export type NewMessage = Omit<PdfChatMessage, 'citations'> & { citations?: (Citation | NotebookCitation)[] };

const MAX_MESSAGES_LISTED = 1_000;
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';
const messageIdSchema = z.string().regex(/^\d{1,18}$/);

/**
 * Reads the latest messages of a notebook, or the messages before a cursor; oldest first.
 * @throws AppError VALIDATION_FAILED for an invalid cursor
 */
export async function readLatestMessages<C extends Citation = Citation>(
  database: Database,
  notebookId: string,
  cursor?: string,
): Promise<MessagePage<C>> {
  const before = cursor === undefined ? null : decodeCursor(cursor, messageIdSchema);
  const found = await queryRows(
    database,
    z.object({ id: z.string(), fits: z.boolean() }),
    `WITH next AS (
       SELECT id, asked_at AS created_at, octet_length(content) + octet_length(coalesce(citations::text, '')) AS bytes
       FROM pdf_messages WHERE notebook_id = $1 AND ($2::timestamptz IS NULL OR (asked_at, id) < ($2, $3::bigint))
       ${NEWEST_FIRST} LIMIT $4::integer + 1
     ), ${pageOfNext(NEWEST_FIRST, '$4')}
     SELECT id, fits FROM page`,
    [notebookId, before?.time ?? null, before?.id ?? null, MAX_MESSAGES_LISTED],
  );
  const ids = found.filter(({ fits }) => fits).map(({ id }) => id);
  const page = await database
    .getRepository(PdfMessageEntity)
    .find({ where: { id: In(ids) }, order: { askedAt: 'ASC', id: 'ASC' } });
  const first = page[0];
  return {
    messages: page.map((message) => toMessage<C>(message)),
    earlierCursor: found.length > ids.length && first ? encodeCursor(first.askedAt, first.id) : null,
  };
}

/**
 * Adds messages with the time of their question's job, by which messages are sorted, even if answers arrive in another
 * order. The caller must have locked the notebook.
 * @param documentId the document of a PDF chat
 */
export async function addMessages(
  transaction: Transaction,
  { notebookId, documentId, jobId }: { notebookId: string; documentId: string | null; jobId: string },
  messages: NewMessage[],
): Promise<void> {
  for (const { role, content, citations, engine, model } of messages) {
    await execute(
      transaction,
      `INSERT INTO pdf_messages (notebook_id, document_id, role, content, citations, engine, model, asked_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, created_at FROM jobs WHERE id = $8`,
      [
        notebookId,
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

/** PDF chats show their messages without ids. */
export const withoutId = ({ id: _, ...message }: StoredMessage): PdfChatMessage => message;

export const toMessage = <C extends Citation>({
  id,
  role,
  content,
  citations,
  engine,
  model,
  createdAt,
}: PdfMessageEntity): StoredMessage<C> => ({
  id,
  role,
  content,
  ...(citations && { citations: citations as C[] }),
  ...(engine && { engine }),
  ...(model && { model }),
  createdAt: createdAt.toISOString(),
});
