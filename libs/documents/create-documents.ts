import { randomUUID } from 'node:crypto';
import { PdfDocumentEntity, PdfScannedPageEntity } from '#libs/database/entities/pdf-documents.js';
import { execute, queryEntity, type Database } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import type { InputFile } from '#libs/contract/files.js';
import type { Documents, ReadOptions } from './documents.js';
import { toFileName } from './file-names.js';
import { PassageVectors } from './passage-vectors.js';
import { PdfChats } from './pdf-chats.js';
import type { PdfDocument } from './pdf-document.js';
import { readPdf, type PdfReading, type ReadingProgress } from './read-pdf.js';
import { SharedWork } from './shared-work.js';

/** @param read another one than {@link readPdf} only in tests */
export function createDocuments(
  dataSource: Database,
  files: StoredFiles,
  read: typeof readPdf = readPdf,
): Documents {
  const readings = new SharedWork<PdfDocument, ReadingProgress>();
  return {
    chats: new PdfChats(dataSource),
    vectors: new PassageVectors(dataSource),
    // Of several jobs of one process with the same file, one reads it. In two processes at the same moment both do,
    // and store the same.
    read: (userId, file, { signal, scans, onProgress }) =>
      readings.run(
        `${userId} ${file.sha256} ${scans?.language ?? ''}`,
        signal,
        async (shared, publish) => {
          let known = await findByContent(dataSource, userId, file.sha256);
          if (!known || isToBeReadAgain(known, scans)) {
            const reader = scans ? { models: scans.models, language: scans.language ?? 'en' } : null;
            const reading = await read(file.bytes, shared, reader, publish);
            // Where scans cannot be read at present, what was read of them before stays.
            const isWorse = known?.scan?.language && reading.scan?.language === null;
            if (!known || !isWorse) known = await store(dataSource, userId, file, reading);
          }
          if (known.fileKey === null) await keepFile(dataSource, files, known.id, userId, file);
          const { id, fileName: name, pages, scan, columns } = known;
          return { id, name, pages, scan, columns };
        },
        onProgress,
      ),
  };
}

/** Whether there are pages whose text is not known yet, or was read in another language. */
function isToBeReadAgain({ pages, scan }: PdfDocumentEntity, scans: ReadOptions['scans']): boolean {
  if (!scans) return false;
  // Null, too, where it was stored before scans were read.
  if (!scan) return pages.includes('');
  if (scan.language === null) return true;
  const isScan = scan.read.length + scan.unread.length > 0;
  return isScan && scans.language !== undefined && scans.language !== scan.language;
}

async function findByContent(
  dataSource: Database,
  userId: string,
  sha256: string,
): Promise<PdfDocumentEntity | undefined> {
  return queryEntity(
    dataSource,
    PdfDocumentEntity,
    `UPDATE pdf_documents SET used_at = now() WHERE user_id = $1 AND sha256 = $2 RETURNING *`,
    [userId, sha256],
  );
}

/** Stores what was read of a document, in place of what was read of it before. */
async function store(
  dataSource: Database,
  userId: string,
  { sha256, name }: InputFile,
  { pages, scan, columns, words }: PdfReading,
): Promise<PdfDocumentEntity> {
  return dataSource.transaction(async (transaction) => {
    const stored = await queryEntity(
      transaction,
      PdfDocumentEntity,
      `INSERT INTO pdf_documents (id, user_id, sha256, file_name, pages, scan, columns)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (user_id, sha256) DO UPDATE
         SET pages = excluded.pages, scan = excluded.scan, columns = excluded.columns RETURNING *`,
      [
        randomUUID(),
        userId,
        sha256,
        toFileName(name),
        JSON.stringify(pages),
        scan && JSON.stringify(scan),
        JSON.stringify(columns),
      ],
    );
    if (!stored) throw new Error('A statement with RETURNING returned no row.');
    const documentId = stored.id;
    await transaction.delete(PdfScannedPageEntity, { documentId });
    for (const [page, found] of words) {
      await transaction.insert(PdfScannedPageEntity, { documentId, page, words: found });
    }
    return stored;
  });
}

/** Keeps a document's file, once: of two processes that do so at the same moment, one takes its copy away again. */
async function keepFile(
  dataSource: Database,
  files: StoredFiles,
  documentId: string,
  userId: string,
  { type, name, bytes, sha256 }: InputFile,
): Promise<void> {
  const key = await files.keep({ userId, kind: 'document', type, name, content: bytes, sha256 });
  const kept = await execute(
    dataSource,
    `UPDATE pdf_documents SET file_key = $2 WHERE id = $1 AND file_key IS NULL`,
    [documentId, key],
  );
  if (kept === 0) await files.remove([key]);
}

/** Removes the documents that no conversation keeps, a day after they were last used; their files follow. */
export async function removeUnusedDocuments(dataSource: Database): Promise<void> {
  await execute(
    dataSource,
    `DELETE FROM pdf_documents WHERE used_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM pdf_messages WHERE document_id = pdf_documents.id)`,
  );
}
