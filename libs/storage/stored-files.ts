import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { In, IsNull, Not, type DataSource, type FindOptionsWhere, type Repository } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { StoredObjectEntity } from '#libs/database/entities/creations.js';
import { PdfDocumentEntity } from '#libs/database/entities/pdf-documents.js';
import { queryColumns, queryEntity, type Database, type Transaction } from '#libs/database/sql.js';
import { createKey } from './object-key.js';
import { sizeOf, type Content, type ObjectStore } from './object-store.js';

export type FileKind = StoredObjectEntity['kind'];

export interface NewFile {
  userId: string;
  kind: FileKind;
  type: string;
  /** The name of the uploaded file; blank for a tool's result. */
  name: string;
  content: Content;
  /** SHA-256 of the content, in hex. May be omitted for content in memory. */
  sha256?: string;
  jobId?: string;
  /**
   * Checks the user's storage quota. Called in the transaction that adds the file's row.
   * @returns keys of files that it has marked for deletion to make room
   */
  requireRoom?: (transaction: Transaction) => Promise<string[]>;
}

export type FileRecord = Pick<StoredObjectEntity, 'key' | 'kind' | 'type' | 'bytes' | 'sha256' | 'name'>;

const BATCH = 500;
/** Maximum time to write an object's bytes. Objects marked for deletion that are not fully stored are deleted after it. */
const WRITTEN_WITHIN = `interval '45 minutes'`;
/** Uploads are kept for this time if no job uses them, and after the end of a failed job, for a retry. */
const UPLOAD_RETENTION = `interval '45 minutes'`;
/** Milliseconds between two sweeps, so that uploads are deleted within the hour. */
export const SWEEP_EVERY = 10 * 60_000;

/**
 * Users' files: their rows in the table `objects` and their bytes in the object store. A row is added before its bytes and
 * deleted after its bytes, so that the table lists everything in the store.
 */
export class StoredFiles {
  private readonly objects: Repository<StoredObjectEntity>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
  ) {
    this.objects = dataSource.getRepository(StoredObjectEntity);
  }

  /**
   * Stores a file of a user.
   * @returns the file's key
   * @throws StoreError if the store is unavailable; AppError UNAUTHENTICATED if the account is deleted while the file is
   *   stored; errors of `requireRoom`
   */
  async add({ userId, kind, type, name, content, sha256, jobId, requireRoom }: NewFile): Promise<string> {
    const key = createKey();
    const row = {
      key,
      userId,
      kind,
      type,
      bytes: sizeOf(content),
      sha256: sha256 ?? hash(content),
      name,
      jobId,
    };
    const unused = await this.dataSource.transaction(async (transaction) => {
      const marked = (await requireRoom?.(transaction)) ?? [];
      await transaction.insert(StoredObjectEntity, row);
      return marked;
    });
    // Ignores an error, because a later sweep deletes these files.
    await this.deleteMarked(unused).catch(() => undefined);
    try {
      await this.store.put(key, content, type);
    } catch (error) {
      // Keeps the row for a later sweep, because the store may have received the bytes in spite of the error.
      await markForDeletion(this.dataSource, `key = $1`, [key]);
      throw error;
    }
    const stored = await queryEntity(
      this.dataSource,
      StoredObjectEntity,
      `UPDATE objects SET stored_at = now() WHERE key = $1 RETURNING *`,
      [key],
    );
    if (stored?.removedAt !== null) {
      await this.deleteMarked([key]);
      throw new AppError('UNAUTHENTICATED', 'This account no longer exists.');
    }
    return key;
  }

  async findOfUser(userId: string, key: string): Promise<FileRecord | undefined> {
    return (await this.objects.findOneBy({ key, userId, removedAt: IsNull() })) ?? undefined;
  }

  /** The image of a creation's current version; undefined if the creation is a text or was deleted. */
  async findCurrentImage(userId: string, creationId: string): Promise<FileRecord | undefined> {
    return this.findStored(
      { creationId, userId, kind: 'image' },
      'EXISTS (SELECT FROM creations WHERE id = object.creationId AND deleted_at IS NULL)',
    );
  }

  /** Finds a result's file by its key, without checking the user. Does not find uploads and files of deleted creations. */
  async findResult(key: string): Promise<FileRecord | undefined> {
    return this.findStored(
      { key, kind: In(['image', 'thumbnail', 'picture', 'version', 'original']) },
      'NOT EXISTS (SELECT FROM creations WHERE id = object.creationId AND deleted_at IS NOT NULL)',
    );
  }

  /** The file of a user's document. */
  async findDocument(userId: string, documentId: string): Promise<FileRecord | undefined> {
    const document = await this.dataSource
      .getRepository(PdfDocumentEntity)
      .findOneBy({ userId, id: documentId });
    if (!document?.fileKey) return undefined;
    return this.findStored({ key: document.fileKey, userId, kind: 'document' });
  }

  async findPublished(creationId: string, kind: 'image' | 'thumbnail'): Promise<FileRecord | undefined> {
    return this.findStored(
      { creationId, kind },
      'EXISTS (SELECT FROM creations WHERE id = object.creationId AND published AND deleted_at IS NULL)',
    );
  }

  private async findStored(
    which: FindOptionsWhere<StoredObjectEntity>,
    condition = 'TRUE',
  ): Promise<FileRecord | undefined> {
    const file = await this.objects
      .createQueryBuilder('object')
      .where({ ...which, storedAt: Not(IsNull()), removedAt: IsNull() })
      .andWhere(condition)
      .getOne();
    return file ?? undefined;
  }

  /** @throws StoreError, ObjectMissing */
  async read(key: string): Promise<Buffer> {
    return this.store.read(key);
  }

  /** Reads the first bytes of a file. @throws StoreError, ObjectMissing */
  async readStart(key: string, bytes: number): Promise<Buffer> {
    return buffer(await this.store.open(key, { start: 0, end: bytes - 1 }));
  }

  /** @throws StoreError if the store is unavailable */
  async ping(): Promise<void> {
    await this.store.ping();
  }

  /** Deletes files at once. If the store fails, throws, and a later {@link sweep} deletes them. */
  async remove(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    await markForDeletion(this.dataSource, `key = ANY ($1)`, [keys]);
    await this.deleteMarked(keys);
  }

  /** Makes all files of a user inaccessible. A later {@link sweep} deletes their bytes. */
  async markAllForDeletion(transaction: Database, userId: string): Promise<void> {
    await markForDeletion(transaction, `user_id = $1`, [userId]);
  }

  /**
   * Deletes unused files and files that are marked for deletion. Several processes may do this concurrently.
   * @returns the number of deleted objects
   */
  async sweep(): Promise<number> {
    await markForDeletion(this.dataSource, UNUSED);
    let removed = 0;
    for (;;) {
      const keys = await this.readMarked();
      await this.deleteMarked(keys);
      removed += keys.length;
      if (keys.length < BATCH) return removed;
    }
  }

  /** Reads keys of files marked for deletion. Skips files whose bytes may still be being written. */
  private async readMarked(): Promise<string[]> {
    const found = await this.objects
      .createQueryBuilder('object')
      .select('object.key')
      .where({ removedAt: Not(IsNull()) })
      .andWhere(`(object.storedAt IS NOT NULL OR object.createdAt < now() - ${WRITTEN_WITHIN})`)
      .orderBy('object.removedAt')
      .limit(BATCH)
      .getMany();
    return found.map(({ key }) => key);
  }

  /** Deletes the bytes of files that were marked for deletion, then their rows. @throws StoreError */
  async deleteMarked(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.store.remove(keys);
    await this.objects.delete({ key: In(keys), removedAt: Not(IsNull()) });
  }
}

/** Marks files for deletion and clears what identifies their user. @returns keys of files that were not marked before */
async function markForDeletion(
  database: Database,
  which: string,
  parameters: unknown[] = [],
): Promise<string[]> {
  const marked = await queryColumns(
    database,
    StoredObjectEntity,
    ['key'],
    `UPDATE objects SET removed_at = now(), user_id = NULL, job_id = NULL, creation_id = NULL, name = '', sha256 = ''
     WHERE removed_at IS NULL AND (${which}) RETURNING key`,
    parameters,
  );
  return marked.map(({ key }) => key);
}

/** Makes files inaccessible. A later sweep deletes their bytes. @returns keys of files that were not marked before */
export const markFilesForDeletion = (transaction: Transaction, keys: string[]): Promise<string[]> =>
  markForDeletion(transaction, `key = ANY ($1)`, [keys]);

/** Makes the files of creations inaccessible. A later sweep deletes their bytes. */
export const markCreationFilesForDeletion = (
  transaction: Transaction,
  creationIds: string[],
): Promise<string[]> => markForDeletion(transaction, `creation_id = ANY ($1)`, [creationIds]);

/**
 * Makes the originals of a batch, or of all batches of a user, inaccessible. A later sweep deletes their bytes.
 * @returns keys of files that were not marked before
 */
export const markOriginalsForDeletion = (
  transaction: Transaction,
  of: { batchId: string } | { userId: string },
): Promise<string[]> =>
  'userId' in of
    ? markForDeletion(transaction, `kind = 'original' AND user_id = $1`, [of.userId])
    : markForDeletion(
        transaction,
        `kind = 'original' AND creation_id IN (
           SELECT creations.id FROM creations JOIN jobs ON jobs.id = creations.job_id WHERE jobs.batch_id = $1)`,
        [of.batchId],
      );

/** Makes the uploads of a job inaccessible, except uploads that now belong to another job. */
export const markUploadsForDeletion = (
  database: Database,
  jobId: string,
  keys: string[],
): Promise<string[]> =>
  markForDeletion(database, `key = ANY ($1) AND kind = 'upload' AND job_id = $2`, [keys, jobId]);

const UNUSED = `
  CASE kind
    WHEN 'upload' THEN created_at < now() - ${UPLOAD_RETENTION} AND key NOT IN (
      SELECT file.value FROM jobs, jsonb_each_text(jobs.files) AS file
      WHERE jobs.files <> '{}' AND jobs.input IS NOT NULL AND jobs.status <> 'succeeded'
        AND (jobs.finished_at IS NULL OR jobs.finished_at > now() - ${UPLOAD_RETENTION})
      UNION ALL SELECT file.value FROM flows, jsonb_each_text(flows.files) AS file WHERE flows.ended_at IS NULL)
    WHEN 'document' THEN created_at < now() - interval '1 hour' AND NOT EXISTS (
      SELECT FROM pdf_documents WHERE file_key = objects.key)
    WHEN 'picture' THEN created_at < now() - interval '1 hour' AND NOT EXISTS (
      SELECT FROM users WHERE picture_key = objects.key)
    WHEN 'original' THEN NOT EXISTS (
      SELECT FROM creations JOIN jobs ON jobs.id = creations.job_id JOIN batches ON batches.id = jobs.batch_id
      WHERE creations.id = objects.creation_id)
    ELSE creation_id IS NULL AND created_at < now() - interval '1 day'
  END
  OR user_id IS NULL`;

function hash(content: Content): string {
  if (!Buffer.isBuffer(content)) throw new Error('A spooled file needs its hash.');
  return createHash('sha256').update(content).digest('hex');
}
