import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { In, IsNull, Not, type DataSource, type Repository } from 'typeorm';
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
  /** The name it had on the user's machine; blank for what a tool made. */
  name: string;
  content: Content;
  /** Of the content, in hexadecimal; computed here for content in memory. */
  sha256?: string;
  jobId?: string;
  /**
   * Checks that there is room for the file, in the transaction that adds its row.
   * @returns the keys of files that were marked for deletion to make room
   */
  requireRoom?: (transaction: Transaction) => Promise<string[]>;
}

/** What the table knows of a file. */
export type FileRecord = Pick<StoredObjectEntity, 'key' | 'kind' | 'type' | 'bytes' | 'sha256' | 'name'>;

/** Objects deleted at once. */
const BATCH = 500;
/** An object whose bytes are not stored after this time never will be: its writer is gone. */
const WRITTEN_WITHIN = `interval '45 minutes'`;
/** An upload is kept so long after the end of its job, for a retry, and for a job to be made with it. */
const UPLOAD_KEPT = `interval '45 minutes'`;
/** Milliseconds between two sweeps, so that an upload is gone within the hour. */
export const SWEEP_EVERY = 10 * 60_000;

/**
 * Users' files: the table of objects and the store of their bytes. A row is written before its bytes and
 * deleted after them, so that the store holds nothing that the table does not know.
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
   * @returns its key
   * @throws StoreError when the store is away, AppError UNAUTHENTICATED when the account was deleted meanwhile, and what
   *   `requireRoom` throws
   */
  async keep({ userId, kind, type, name, content, sha256, jobId, requireRoom }: NewFile): Promise<string> {
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
    // A later sweep deletes what the store does not let go now.
    await this.deleteMarked(unused).catch(() => undefined);
    try {
      await this.store.put(key, content, type);
    } catch (error) {
      // The store may have the bytes all the same, now or in a while: the row stays until a sweep finds it old.
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

  /** A user's own file; undefined when there is none of this key. */
  async ofUser(userId: string, key: string): Promise<FileRecord | undefined> {
    return (await this.objects.findOneBy({ key, userId, removedAt: IsNull() })) ?? undefined;
  }

  /** The picture that a user's creation shows; undefined once the creation is deleted, and for a text. */
  async currentPicture(userId: string, creationId: string): Promise<FileRecord | undefined> {
    const file = await this.objects
      .createQueryBuilder('object')
      .where({ creationId, userId, kind: 'image', storedAt: Not(IsNull()), removedAt: IsNull() })
      .andWhere('EXISTS (SELECT FROM creations WHERE id = object.creationId AND deleted_at IS NULL)')
      .getOne();
    return file ?? undefined;
  }

  /** What a tool made, by its key alone. What its user deleted is not found, and what the user uploaded needs more than an address. */
  async ofResult(key: string): Promise<FileRecord | undefined> {
    const file = await this.objects
      .createQueryBuilder('object')
      .where({
        key,
        kind: In(['image', 'thumbnail', 'picture', 'version']),
        storedAt: Not(IsNull()),
        removedAt: IsNull(),
      })
      .andWhere('NOT EXISTS (SELECT FROM creations WHERE id = object.creationId AND deleted_at IS NOT NULL)')
      .getOne();
    return file ?? undefined;
  }

  /** The file of a user's PDF document by the name it is listed under; undefined where none is stored. */
  async ofDocument(userId: string, name: string): Promise<FileRecord | undefined> {
    const document = await this.dataSource
      .getRepository(PdfDocumentEntity)
      .findOneBy({ userId, chatName: name.normalize('NFC') });
    if (!document?.fileKey) return undefined;
    const file = await this.objects.findOneBy({
      key: document.fileKey,
      userId,
      kind: 'document',
      storedAt: Not(IsNull()),
      removedAt: IsNull(),
    });
    return file ?? undefined;
  }

  /** A file of a creation that everybody may see; undefined once it is withdrawn or deleted. */
  async ofPublished(creationId: string, kind: 'image' | 'thumbnail'): Promise<FileRecord | undefined> {
    const file = await this.objects
      .createQueryBuilder('object')
      .where({ creationId, kind, removedAt: IsNull() })
      .andWhere(
        'EXISTS (SELECT FROM creations WHERE id = object.creationId AND published AND deleted_at IS NULL)',
      )
      .getOne();
    return file ?? undefined;
  }

  /** @throws StoreError, ObjectMissing */
  async read(key: string): Promise<Buffer> {
    return this.store.read(key);
  }

  /** The first bytes of a file. @throws StoreError, ObjectMissing */
  async readStart(key: string, bytes: number): Promise<Buffer> {
    return buffer(await this.store.open(key, { start: 0, end: bytes - 1 }));
  }

  /** @throws StoreError when the store is away */
  async ping(): Promise<void> {
    await this.store.ping();
  }

  /** Removes files at once; what the store does not let go now goes with a later {@link sweep}. */
  async remove(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    await markForDeletion(this.dataSource, `key = ANY ($1)`, [keys]);
    await this.deleteMarked(keys);
  }

  /** Takes a user's files away from everybody, as part of a transaction; {@link sweep} then removes their bytes. */
  async markAllForDeletion(transaction: Database, userId: string): Promise<void> {
    await markForDeletion(transaction, `user_id = $1`, [userId]);
  }

  /**
   * Removes the files that nothing needs. Safe at any time in any number of processes.
   * @returns how many objects were removed
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

  /** Bytes may still be on their way to an object that was never marked as stored: its row waits until they cannot. */
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

/** A row that nobody owns any more keeps nothing that could name its user. */
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

/** Takes files away from everybody, as part of a transaction. @returns the keys that were not marked before */
export const markFilesForDeletion = (transaction: Transaction, keys: string[]): Promise<string[]> =>
  markForDeletion(transaction, `key = ANY ($1)`, [keys]);

/** The same for the files of creations. */
export const markCreationFilesForDeletion = (
  transaction: Transaction,
  creationIds: string[],
): Promise<string[]> => markForDeletion(transaction, `creation_id = ANY ($1)`, [creationIds]);

/** The same for what a job was given, where it is the latest that the files were sent for. */
export const markUploadsForDeletion = (
  database: Database,
  jobId: string,
  keys: string[],
): Promise<string[]> =>
  markForDeletion(database, `key = ANY ($1) AND kind = 'upload' AND job_id = $2`, [keys, jobId]);

const UNUSED = `
  CASE kind
    WHEN 'upload' THEN created_at < now() - ${UPLOAD_KEPT} AND key NOT IN (
      SELECT file.value FROM jobs, jsonb_each_text(jobs.files) AS file
      WHERE jobs.files <> '{}' AND jobs.input IS NOT NULL AND jobs.status <> 'succeeded'
        AND (jobs.finished_at IS NULL OR jobs.finished_at > now() - ${UPLOAD_KEPT})
      UNION ALL SELECT file.value FROM flows, jsonb_each_text(flows.files) AS file WHERE flows.ended_at IS NULL)
    WHEN 'document' THEN created_at < now() - interval '1 hour' AND NOT EXISTS (
      SELECT FROM pdf_documents WHERE file_key = objects.key)
    WHEN 'picture' THEN created_at < now() - interval '1 hour' AND NOT EXISTS (
      SELECT FROM users WHERE picture_key = objects.key)
    ELSE creation_id IS NULL AND created_at < now() - interval '1 day'
  END
  OR user_id IS NULL`;

function hash(content: Content): string {
  if (!Buffer.isBuffer(content)) throw new Error('The hash of a spooled file is taken while it is spooled.');
  return createHash('sha256').update(content).digest('hex');
}
