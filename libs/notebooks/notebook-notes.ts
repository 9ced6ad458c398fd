import { randomUUID } from 'node:crypto';
import { AppError } from '#libs/contract/errors.js';
import {
  MAX_NOTES,
  NOTE_MAX_CHARACTERS,
  NOTES_MAX_CHARACTERS,
  type NewNote,
  type NotebookNote,
} from '#libs/contract/notebooks.js';
import { NotebookNoteEntity, PdfMessageEntity } from '#libs/database/entities/notebooks.js';
import { execute, type Database, type Transaction } from '#libs/database/sql.js';
import type { NotebookCitation } from '#libs/contract/notebooks.js';
import { findNotebook, lockNotebook } from './find-notebook.js';

/** The notes of users' notebooks. */
export class NotebookNotes {
  constructor(private readonly dataSource: Database) {}

  /** The notes in their order. @throws AppError NOT_FOUND */
  async list(userId: string, notebookId: string): Promise<NotebookNote[]> {
    await findNotebook(this.dataSource, userId, notebookId);
    return readNotes(this.dataSource, notebookId);
  }

  /**
   * Adds a note at the end. An answer that is already a note is not kept again.
   * @throws AppError NOT_FOUND if there is no such notebook or answer; VALIDATION_FAILED if the notes are too many or too long
   */
  async add(userId: string, notebookId: string, { messageId, content }: NewNote): Promise<NotebookNote> {
    return this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, notebookId);
      const kept = messageId && (await transaction.findOneBy(NotebookNoteEntity, { notebookId, messageId }));
      if (kept) return toNote(kept);
      const notes = await readNotes(transaction, notebookId);
      if (notes.length >= MAX_NOTES) {
        throw new AppError(
          'VALIDATION_FAILED',
          `A notebook has at most ${MAX_NOTES} notes. Delete one first.`,
        );
      }
      const text = messageId
        ? await readAnswer(transaction, notebookId, messageId)
        : { content, citations: [] };
      requireRoom(notes, text.content ?? '');
      const last = await transaction.maximum(NotebookNoteEntity, 'position', { notebookId });
      const id = randomUUID();
      await transaction.insert(NotebookNoteEntity, {
        ...text,
        id,
        notebookId,
        messageId: messageId ?? null,
        position: (last ?? 0) + 1,
      });
      return toNote(await transaction.findOneByOrFail(NotebookNoteEntity, { id }));
    });
  }

  /** @throws AppError NOT_FOUND; VALIDATION_FAILED if the notes become too long */
  async change(userId: string, notebookId: string, id: string, content: string): Promise<NotebookNote> {
    return this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, notebookId);
      const notes = await readNotes(transaction, notebookId);
      const note = notes.find((one) => one.id === id);
      if (note && content.length > note.content.length)
        requireRoom(
          notes.filter((one) => one !== note),
          content,
        );
      const { affected } = await transaction.update(
        NotebookNoteEntity,
        { id, notebookId },
        { content, updatedAt: () => 'now()' },
      );
      if (!affected) throw noteNotFound();
      return toNote(await transaction.findOneByOrFail(NotebookNoteEntity, { id }));
    });
  }

  /** @throws AppError NOT_FOUND */
  async delete(userId: string, notebookId: string, id: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, notebookId);
      const { affected } = await transaction.delete(NotebookNoteEntity, { id, notebookId });
      if (!affected) throw noteNotFound();
    });
  }

  /**
   * Moves the given notes to the start, in this order. Ignores ids of deleted notes.
   * @throws AppError NOT_FOUND if there is no such notebook
   */
  async order(userId: string, notebookId: string, ids: string[]): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      await lockNotebook(transaction, userId, notebookId);
      await execute(
        transaction,
        `UPDATE notebook_notes SET position = sorted.position FROM (
           SELECT note.id, row_number() OVER (ORDER BY given.place NULLS LAST, note.position, note.created_at) AS position
           FROM notebook_notes AS note
           LEFT JOIN (SELECT id, min(place) AS place FROM unnest($2::uuid[]) WITH ORDINALITY AS ids (id, place) GROUP BY id)
             AS given ON given.id = note.id
           WHERE note.notebook_id = $1) AS sorted
         WHERE notebook_notes.id = sorted.id`,
        [notebookId, ids],
      );
    });
  }
}

async function readNotes(database: Database, notebookId: string): Promise<NotebookNote[]> {
  const notes = await database
    .getRepository(NotebookNoteEntity)
    .find({ where: { notebookId }, order: { position: 'ASC', createdAt: 'ASC', id: 'ASC' } });
  return notes.map(toNote);
}

/** @throws AppError VALIDATION_FAILED if the other notes leave no room for a note */
function requireRoom(others: readonly NotebookNote[], content: string): void {
  const characters = others.reduce((sum, other) => sum + other.content.length, content.length);
  if (characters <= NOTES_MAX_CHARACTERS) return;
  throw new AppError(
    'VALIDATION_FAILED',
    `The notes of a notebook have at most ${NOTES_MAX_CHARACTERS.toLocaleString('en-US')} characters together. Shorten or delete one first.`,
  );
}

async function readAnswer(
  transaction: Transaction,
  notebookId: string,
  id: string,
): Promise<{ content: string; citations: NotebookCitation[] }> {
  const message = await transaction.findOneBy(PdfMessageEntity, { id, notebookId, role: 'assistant' });
  if (!message) throw new AppError('NOT_FOUND', 'There is no such answer. It may have been cleared.');
  return {
    content: message.content.slice(0, NOTE_MAX_CHARACTERS).toWellFormed(),
    citations: (message.citations ?? []) as NotebookCitation[],
  };
}

const toNote = ({ id, content, citations, createdAt, updatedAt }: NotebookNoteEntity): NotebookNote => ({
  id,
  content,
  citations,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const noteNotFound = () =>
  new AppError('NOT_FOUND', 'There is no such note. It may have been deleted.');
