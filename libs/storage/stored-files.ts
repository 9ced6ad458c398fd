import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { row, rows, type Database } from '#libs/database/sql.js';
import { createKey } from './object-key.js';
import { sizeOf, type Content, type ObjectStore } from './object-store.js';

export type FileKind = 'upload' | 'image' | 'thumbnail' | 'document' | 'picture';

export interface NewFile {
  userId: string;
  kind: FileKind;
  /** Its media type. */
  type: string;
  /** The name it had on the user's machine; blank for what a tool made. */
  name: string;
  content: Content;
  /** Of the content, in hexadecimal; reckoned here for a content in memory. */
  sha256?: string;
  jobId?: string;
}

/** What the table knows of a file. */
export interface FileRecord {
  key: string;
  kind: FileKind;
  type: string;
  bytes: number;
  sha256: string;
  name: string;
}

const COLUMNS = 'key, kind, type, bytes, sha256, name';
/** Objects removed in one go. */
const BATCH = 500;
/** An object whose bytes are not stored after this time never will be: its writer is gone. */
const WRITTEN_WITHIN = `interval '1 hour'`;

/**
 * Users's files: the table of objects and the store of their bytes, kept agreed. A row is written before its bytes
 * and goes after them, so that the store holds nothing that the table does not know.
 */
export class StoredFiles {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Stores a file of a user.
   * @returns its key
   * @throws StoreError when the store is away, AppError UNAUTHENTICATED when the account was deleted meanwhile
   */
  async keep({ userId, kind, type, name, content, sha256, jobId }: NewFile): Promise<string> {
    const key = createKey();
    await rows(
      this.dataSource,
      `INSERT INTO objects (key, user_id, kind, type, bytes, sha256, name, job_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [key, userId, kind, type, sizeOf(content), sha256 ?? hash(content), name, jobId ?? null],
    );
    try {
      await this.store.put(key, content, type);
    } catch (error) {
      // The store may have the bytes all the same, now or in a while: the row stays until a sweep finds it old.
      await this.condemn(this.dataSource, `key = $1`, [key]);
      throw error;
    }
    const stored = await row<{ removed: boolean }>(
      this.dataSource,
      `UPDATE objects SET stored_at = now() WHERE key = $1 RETURNING removed_at IS NOT NULL AS removed`,
      [key],
    );
    if (stored?.removed !== false) {
      await this.erase([key]);
      throw new AppError('UNAUTHENTICATED', 'This account no longer exists.');
    }
    return key;
  }

  /** A user's own file; undefined when there is none of this key. */
  async ofUser(userId: string, key: string): Promise<FileRecord | undefined> {
    return row<FileRecord>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM objects WHERE key = $1 AND user_id = $2 AND removed_at IS NULL`,
      [key, userId],
    );
  }

  /** What a tool made, by its key alone. What its user deleted is not found, and what the user uploaded needs more than an address. */
  async ofResult(key: string): Promise<FileRecord | undefined> {
    return row<FileRecord>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM objects
       WHERE key = $1 AND kind IN ('image', 'thumbnail', 'picture') AND stored_at IS NOT NULL AND removed_at IS NULL
         AND NOT EXISTS (SELECT FROM creations WHERE id = objects.creation_id AND deleted_at IS NOT NULL)`,
      [key],
    );
  }

  /**
   * The file of a user's PDF document, by the name it is listed under; undefined where none is kept, also for
   * somebody else's.
   */
  async ofDocument(userId: string, name: string): Promise<FileRecord | undefined> {
    return row<FileRecord>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM objects
       WHERE user_id = $1 AND kind = 'document' AND stored_at IS NOT NULL AND removed_at IS NULL
         AND key = (SELECT file_key FROM pdf_documents WHERE user_id = $1 AND chat_name = $2)`,
      [userId, name.normalize('NFC')],
    );
  }

  /** A file of a creation that everybody may see; undefined once it is withdrawn or deleted. */
  async ofPublished(creationId: string, kind: 'image' | 'thumbnail'): Promise<FileRecord | undefined> {
    return row<FileRecord>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM objects
       WHERE creation_id = $1 AND kind = $2 AND removed_at IS NULL
         AND EXISTS (SELECT FROM creations WHERE id = $1 AND published AND deleted_at IS NULL)`,
      [creationId, kind],
    );
  }

  /** @throws StoreError, ObjectMissing */
  async read(key: string): Promise<Buffer> {
    return this.store.read(key);
  }

  /** @throws StoreError when the store is away */
  async ping(): Promise<void> {
    await this.store.ping();
  }

  /** Removes files at once; what the store does not let go now goes with a later {@link sweep}. */
  async remove(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.condemn(this.dataSource, `key = ANY ($1)`, [keys]);
    await this.erase(keys);
  }

  /** Takes a user's files away from everybody, as part of a transaction; {@link sweep} then removes their bytes. */
  async markAllForDeletion(transaction: Database, userId: string): Promise<void> {
    await this.condemn(transaction, `user_id = $1`, [userId]);
  }

  /**
   * Finds the files that nothing needs and removes them: uploads whose jobs are over, documents without a
   * conversation, results that belong to no creation after a day, and what was condemned before. Safe at any time in any number of processes.
   * @returns how many objects were removed
   */
  async sweep(): Promise<number> {
    await this.condemn(this.dataSource, USELESS);
    let removed = 0;
    for (;;) {
      const keys = await this.condemned();
      await this.erase(keys);
      removed += keys.length;
      if (keys.length < BATCH) return removed;
    }
  }

  /** A row that nobody owns any more keeps nothing that could name its user. */
  private async condemn(database: Database, which: string, parameters: unknown[] = []): Promise<void> {
    await rows(
      database,
      `UPDATE objects SET removed_at = now(), user_id = NULL, job_id = NULL, creation_id = NULL, name = '', sha256 = ''
       WHERE removed_at IS NULL AND (${which})`,
      parameters,
    );
  }

  /** Bytes may still be on their way to an object that was never marked as stored: its row waits until they cannot. */
  private async condemned(): Promise<string[]> {
    const found = await rows<{ key: string }>(
      this.dataSource,
      `SELECT key FROM objects
       WHERE removed_at IS NOT NULL AND (stored_at IS NOT NULL OR created_at < now() - ${WRITTEN_WITHIN})
       ORDER BY removed_at LIMIT ${BATCH}`,
    );
    return found.map(({ key }) => key);
  }

  private async erase(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.store.remove(keys);
    await rows(this.dataSource, `DELETE FROM objects WHERE key = ANY ($1) AND removed_at IS NOT NULL`, [
      keys,
    ]);
  }
}

const USELESS = `
  CASE kind
    WHEN 'upload' THEN created_at < now() - interval '1 hour' AND key NOT IN (
      SELECT file.value FROM jobs, jsonb_each_text(jobs.files) AS file
      WHERE jobs.files <> '{}' AND jobs.input IS NOT NULL AND jobs.status <> 'succeeded')
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
