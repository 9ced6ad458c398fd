import { PdfDocumentEntity } from '#libs/database/entities/pdf-documents.js';
import { execute, queryColumns, type Database, type Transaction } from '#libs/database/sql.js';
import { markFilesForDeletion } from '#libs/storage/stored-files.js';

/** Deletes those of the documents that no notebook has. Their files are marked for deletion: a sweep deletes the bytes. */
export async function removeDocuments(transaction: Transaction, ids: string[]): Promise<void> {
  const removed = await queryColumns(
    transaction,
    PdfDocumentEntity,
    ['fileKey'],
    `DELETE FROM pdf_documents WHERE id = ANY ($1)
       AND NOT EXISTS (SELECT FROM notebook_documents WHERE document_id = pdf_documents.id)
     RETURNING file_key`,
    [ids],
  );
  await markFilesForDeletion(
    transaction,
    removed.flatMap(({ fileKey }) => fileKey ?? []),
  );
}

/**
 * Deletes PDF chats without messages and documents without a notebook that were not used for a day. A sweep deletes their
 * files later.
 */
export async function removeUnusedDocuments(dataSource: Database): Promise<void> {
  await execute(
    dataSource,
    `DELETE FROM notebooks WHERE is_pdf_chat AND updated_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM pdf_messages WHERE notebook_id = notebooks.id)`,
  );
  await execute(
    dataSource,
    `DELETE FROM pdf_documents WHERE used_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM notebook_documents WHERE document_id = pdf_documents.id)`,
  );
}
