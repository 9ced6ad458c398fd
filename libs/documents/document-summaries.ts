import { AppError } from '#libs/contract/errors.js';
import type { DocumentSummary } from '#libs/contract/notebooks.js';
import { PdfDocumentEntity } from '#libs/database/entities/pdf-documents.js';
import { queryColumns, type Database, type Transaction } from '#libs/database/sql.js';

/** Summaries of users' documents. A document has at most one. */
export class DocumentSummaries {
  constructor(private readonly dataSource: Database) {}

  /** A document with its summary. @throws AppError NOT_FOUND, also if the document is another user's */
  async find(
    userId: string,
    documentId: string,
  ): Promise<{ name: string; pages: string[]; summary: DocumentSummary | null }> {
    const document = await this.dataSource
      .getRepository(PdfDocumentEntity)
      .findOneBy({ id: documentId, userId });
    if (!document) throw documentNotFound();
    const { fileName: name, pages, summary } = document;
    return { name, pages, summary };
  }

  /**
   * Stores a summary unless the document has one of an AI service, which another job may have stored meanwhile.
   * @throws AppError NOT_FOUND if the document was deleted meanwhile
   */
  async store(transaction: Transaction, documentId: string, summary: DocumentSummary): Promise<void> {
    const [found] = await queryColumns(
      transaction,
      PdfDocumentEntity,
      ['id'],
      `UPDATE pdf_documents SET summary = CASE WHEN summary->>'engine' = 'openai' THEN summary ELSE $2::jsonb END
       WHERE id = $1 RETURNING id`,
      [documentId, JSON.stringify(summary)],
    );
    if (!found) throw documentNotFound();
  }
}

export const documentNotFound = () =>
  new AppError('NOT_FOUND', 'There is no such document. It may have been deleted.');
