import { randomUUID } from 'node:crypto';
import { PdfDocumentEntity } from '#libs/database/entities/pdf-documents.js';
import { execute, queryEntity, type Database } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import type { InputFile } from '#libs/contract/files.js';
import type { Documents } from './documents.js';
import { toFileName } from './file-names.js';
import { PdfChats } from './pdf-chats.js';
import type { PdfDocument } from './pdf-document.js';
import { readPdfPages } from './read-pdf-pages.js';
import { SharedWork } from './shared-work.js';

type ReadPages = (bytes: Uint8Array, options: { signal: AbortSignal }) => Promise<string[]>;

/** @param readPages another one than {@link readPdfPages} only in tests */
export function createDocuments(
  dataSource: Database,
  files: StoredFiles,
  readPages: ReadPages = readPdfPages,
): Documents {
  const readings = new SharedWork<PdfDocument>();
  return {
    chats: new PdfChats(dataSource),
    // Of several jobs of one process with the same file, one reads it. In two processes at the same moment both do,
    // and the first to store it wins.
    read: (userId, file, signal) =>
      readings.run(`${userId} ${file.sha256}`, signal, async (shared) => {
        let known = await findByContent(dataSource, userId, file.sha256);
        if (!known) {
          const pages = await readPages(file.bytes, { signal: shared });
          known =
            (await store(dataSource, userId, file, pages)) ??
            (await findByContent(dataSource, userId, file.sha256));
          // Stored by another process and cleared again by its user, all in this moment.
          if (!known) return { id: randomUUID(), name: toFileName(file.name), pages };
        }
        if (known.fileKey === null) await keepFile(dataSource, files, known.id, userId, file);
        return toDocument(known);
      }),
  };
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

async function store(
  dataSource: Database,
  userId: string,
  { sha256, name }: InputFile,
  pages: string[],
): Promise<PdfDocumentEntity | undefined> {
  return queryEntity(
    dataSource,
    PdfDocumentEntity,
    `INSERT INTO pdf_documents (id, user_id, sha256, file_name, pages) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (user_id, sha256) DO NOTHING RETURNING *`,
    [randomUUID(), userId, sha256, toFileName(name), JSON.stringify(pages)],
  );
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

const toDocument = ({ id, fileName, pages }: PdfDocumentEntity): PdfDocument => ({
  id,
  name: fileName,
  pages,
});

/** Removes the documents that no conversation keeps, a day after they were last used; their files follow. */
export async function removeUnusedDocuments(dataSource: Database): Promise<void> {
  await execute(
    dataSource,
    `DELETE FROM pdf_documents WHERE used_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM pdf_messages WHERE document_id = pdf_documents.id)`,
  );
}
