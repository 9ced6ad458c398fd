import { AppError } from '#libs/contract/errors.js';
import { NotebookEntity } from '#libs/database/entities/notebooks.js';
import { queryEntity, type Database, type Transaction } from '#libs/database/sql.js';

/** @throws AppError NOT_FOUND, also if the notebook is another user's or a PDF chat */
export async function findNotebook(database: Database, userId: string, id: string): Promise<NotebookEntity> {
  const notebook = await database.getRepository(NotebookEntity).findOneBy({ id, userId, isPdfChat: false });
  if (!notebook) throw notebookNotFound();
  return notebook;
}

/** Marks a notebook as used now, and locks it until the transaction ends. @throws AppError NOT_FOUND */
export async function lockNotebook(
  transaction: Transaction,
  userId: string,
  id: string,
): Promise<NotebookEntity> {
  const notebook = await queryEntity(
    transaction,
    NotebookEntity,
    `UPDATE notebooks SET updated_at = now() WHERE id = $1 AND user_id = $2 AND NOT is_pdf_chat RETURNING *`,
    [id, userId],
  );
  if (!notebook) throw notebookNotFound();
  return notebook;
}

export const notebookNotFound = () =>
  new AppError('NOT_FOUND', 'There is no such notebook. It may have been deleted.');
