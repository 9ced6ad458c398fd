import { randomUUID } from 'node:crypto';
import { LessThan } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import type { InputFile } from '#libs/contract/files.js';
import { PdfDocumentEntity, PdfScannedPageEntity } from '#libs/database/entities/pdf-documents.js';
import { execute, queryEntity, type Database } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import { DocumentSummaries } from './document-summaries.js';
import type { Documents, ReadOptions } from './documents.js';
import { documentTypes, kindOf } from './document-kinds.js';
import { toFileName } from './file-names.js';
import { PassageVectors } from './passage-vectors.js';
import { PdfChats } from './pdf-chats.js';
import { toDocument, type PdfDocument } from './pdf-document.js';
import { readDocumentFile } from './read-document-file.js';
import type { PdfReading, ReadingProgress } from './read-pdf.js';
import { SharedWork } from './shared-work.js';

/**
 * Version of the reader. Increase it when the same file gives another text: documents that an older version stored are then
 * read again when they are used.
 */
const READER = 1;

/** @param readFile only tests replace it */
export function createDocuments(
  dataSource: Database,
  files: StoredFiles,
  readFile: typeof readDocumentFile = readDocumentFile,
): Documents {
  const readings = new SharedWork<PdfDocument, ReadingProgress>();
  // Concurrent jobs of one process read a file once. Different processes may both read it, and store the same result.
  const read: Documents['read'] = (userId, file, { signal, scans, onProgress }) =>
    readings.run(
      `${userId} ${file.sha256} ${scans?.language ?? ''}`,
      signal,
      async (shared, publish) => {
        let document = await findByContent(dataSource, userId, file.sha256);
        if (!document || document.reader < READER || lacksScans(document, scans)) {
          const reader = scans ? { models: scans.models, language: scans.language ?? 'en' } : null;
          const reading = await readFile(file, shared, reader, publish);
          // Keeps the earlier result if it has text of scanned pages and OCR is unavailable now.
          const isWorse = document?.scan?.language && reading.scan?.language === null;
          if (!document || !isWorse) document = await store(dataSource, userId, file, reading);
        }
        if (document.fileKey === null) await storeFile(dataSource, files, document.id, userId, file);
        return toDocument(document);
      },
      onProgress,
    );
  return {
    chats: new PdfChats(dataSource),
    vectors: new PassageVectors(dataSource),
    summaries: new DocumentSummaries(dataSource),
    read,
    readAgain: async (userId, document, options) => {
      const file = await findOutdatedFile(dataSource, files, userId, document);
      if (!file) return document;
      try {
        const language = document.scan?.language ?? options.scans?.language;
        const scans = options.scans && { ...options.scans, language };
        return { ...(await read(userId, file, { ...options, scans })), name: document.name };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Keeps the text of the older version, which could read the file.
        await dataSource.getRepository(PdfDocumentEntity).update({ id: document.id }, { reader: READER });
        return document;
      }
    },
  };
}

/** The stored file of a document that an older version read; undefined if the document is up to date or has no file. */
async function findOutdatedFile(
  dataSource: Database,
  files: StoredFiles,
  userId: string,
  { id }: PdfDocument,
): Promise<InputFile | undefined> {
  const outdated = await dataSource.getRepository(PdfDocumentEntity).findOne({
    select: { fileKey: true, fileName: true, sha256: true, kind: true },
    where: { id, userId, reader: LessThan(READER) },
  });
  if (!outdated?.fileKey) return undefined;
  const { fileKey, fileName: name, sha256, kind } = outdated;
  return { name, type: documentTypes[kind], sha256, bytes: await files.read(fileKey) };
}

/** True if a stored document has scanned pages that were not read, or were read in another language. */
function lacksScans({ kind, pages, scan }: PdfDocumentEntity, scans: ReadOptions['scans']): boolean {
  if (!scans || kind !== 'pdf') return false;
  // `scan` is null if every page has text, and for documents of older versions, which could not read scans.
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

async function store(
  dataSource: Database,
  userId: string,
  { sha256, name, type }: InputFile,
  { pages, scan, columns, words, labels, details, attachments }: PdfReading,
): Promise<PdfDocumentEntity> {
  return dataSource.transaction(async (transaction) => {
    const stored = await queryEntity(
      transaction,
      PdfDocumentEntity,
      `INSERT INTO pdf_documents (id, user_id, sha256, file_name, pages, scan, columns, labels, details, attachments, reader,
         kind)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${READER}, $11)
       ON CONFLICT (user_id, sha256) DO UPDATE
         SET pages = excluded.pages, scan = excluded.scan, columns = excluded.columns, labels = excluded.labels,
           details = excluded.details, attachments = excluded.attachments, reader = excluded.reader,
           summary = CASE WHEN pdf_documents.pages = excluded.pages THEN pdf_documents.summary END RETURNING *`,
      [
        randomUUID(),
        userId,
        sha256,
        toFileName(name),
        JSON.stringify(pages),
        scan && JSON.stringify(scan),
        JSON.stringify(columns),
        labels && JSON.stringify(labels),
        JSON.stringify(details),
        JSON.stringify(attachments),
        kindOf(type),
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

/** Stores the file of a document. If another process stores it at the same time, one of the two copies is deleted. */
async function storeFile(
  dataSource: Database,
  files: StoredFiles,
  documentId: string,
  userId: string,
  { type, name, bytes, sha256 }: InputFile,
): Promise<void> {
  const key = await files.add({ userId, kind: 'document', type, name, content: bytes, sha256 });
  const linked = await execute(
    dataSource,
    `UPDATE pdf_documents SET file_key = $2 WHERE id = $1 AND file_key IS NULL`,
    [documentId, key],
  );
  if (linked === 0) await files.remove([key]);
}
