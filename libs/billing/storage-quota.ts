import { In } from 'typeorm';
import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Plan, StorageUse } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { BATCH_ROW_BYTES } from '#libs/database/functions/storage-use.sql.js';
import { queryRow, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { lockUser } from '#libs/accounts/lock-user.js';
import { readUserLimits } from './user-limits.js';

/** Maximum bytes stored per user, by plan. */
export type StorageQuota = Record<Plan, number>;

/**
 * Permanently deletes a user's deleted creations and the originals of batches.
 * @returns keys of files that the caller must delete after the commit
 */
export type ReclaimStorage = (transaction: Transaction, userId: string) => Promise<string[]>;

/** Injection token of {@link ReclaimStorage}. */
export const RECLAIM_STORAGE = Symbol('RECLAIM_STORAGE');

const MB = 1024 * 1024;
/** Bytes reserved for the result of each unfinished image job. */
export const IMAGE_RESULT_BYTES = 4 * MB;
/** Bytes reserved for the result of each other unfinished job. */
export const TEXT_RESULT_BYTES = 16 * 1024;

const useSchema = z.object({
  /**
   * Bytes of uploads that belong to jobs. Deleted when the job succeeds, or within an hour after it failed or was
   * cancelled.
   */
  uploads: z.coerce.number(),
  /**
   * Bytes of images with thumbnails and originals, PDF documents, the profile picture, and texts of creations with their
   * versions.
   */
  results: z.coerce.number(),
  /** Bytes of input texts of unfinished and failed jobs. */
  inputs: z.coerce.number(),
  /**
   * Bytes of deleted creations that can still be restored, and of originals. Included in `results`; freed when storage is
   * needed.
   */
  reclaimable: z.coerce.number(),
  creations: z.coerce.number(),
});

/** Reads a user's storage use. Uploads that belong to no job are not counted. */
async function readUse(database: Database, userId: string): Promise<z.infer<typeof useSchema>> {
  const use = await queryRow(
    database,
    useSchema,
    `SELECT uploads, results, inputs, deleted AS reclaimable, creations FROM storage_use($1)`,
    [userId],
  );
  return use!;
}

/** Maximum bytes of a user: those that an operator gave for a time, or those of the plan. */
const storageLimitOf = async (
  database: Database,
  quota: StorageQuota,
  { id, plan }: Pick<UserEntity, 'id' | 'plan'>,
): Promise<number> => (await readUserLimits(database, id))?.storageBytes ?? quota[plan];

/** Storage use in the account's API format. */
export async function readStorageUse(
  database: Database,
  quota: StorageQuota,
  { id, plan }: Pick<UserEntity, 'id' | 'plan'>,
): Promise<StorageUse> {
  const { uploads, results, inputs, reclaimable } = await readUse(database, id);
  const originals = await queryRow(
    database,
    z.object({ bytes: z.coerce.number() }),
    `SELECT coalesce(sum(bytes), 0) AS bytes FROM objects LEFT JOIN creations ON creations.id = creation_id
     WHERE objects.user_id = $1 AND kind = 'original' AND deleted_at IS NULL`,
    [id],
  );
  const used = uploads + results + inputs - reclaimable + originals!.bytes;
  return { used: Math.max(0, used), limit: await storageLimitOf(database, quota, { id, plan }) };
}

const storedKindSchema = z.object({ kind: z.string(), files: z.number(), bytes: z.coerce.number() });

/** Storage use by kind, the largest first. It adds up to {@link readStorageUse}. */
export const readStorageByKind = (database: Database, userId: string) =>
  queryRows(
    database,
    storedKindSchema,
    `SELECT kind, files::integer, bytes FROM (
       SELECT kind, count(*) AS files, sum(bytes) AS bytes FROM objects LEFT JOIN creations ON creations.id = creation_id
       WHERE objects.user_id = $1 AND deleted_at IS NULL AND (kind <> 'upload' OR objects.job_id IS NOT NULL) GROUP BY kind
       UNION ALL
       SELECT 'text', count(*), sum(octet_length(prompt) + octet_length(content) + coalesce(pg_column_size(settings), 0))
       FROM creations WHERE user_id = $1 AND deleted_at IS NULL
       UNION ALL
       SELECT 'text-version', count(*), sum(octet_length(kept.content)) FROM creations AS edited, LATERAL (
         SELECT content FROM creation_versions WHERE creation_id = edited.id
         UNION ALL SELECT content FROM creation_shares WHERE creation_id = edited.id) AS kept
       WHERE edited.user_id = $1 AND edited.deleted_at IS NULL AND edited.content_revision > 1
       UNION ALL
       SELECT 'input', count(*), sum(bytes) FROM (
         SELECT pg_column_size(input) AS bytes FROM jobs WHERE user_id = $1 AND input IS NOT NULL
         UNION ALL
         SELECT octet_length(name) + octet_length(client_id) + ${BATCH_ROW_BYTES} FROM batches
         JOIN batch_items ON batch_items.batch_id = batches.id WHERE batches.user_id = $1
         UNION ALL
         SELECT pg_column_size(input) FROM batches WHERE user_id = $1) AS inputs) AS kinds
     WHERE files > 0 ORDER BY bytes DESC, kind`,
    [userId],
  );

/**
 * Checks before an upload that the user has room for it. The submission checks again.
 * @param bytes minimum total size of the files
 * @throws AppError STORAGE_FULL
 */
export async function requireRoomAhead(
  database: Database,
  quota: StorageQuota,
  user: Pick<UserEntity, 'id' | 'plan'>,
  bytes: number,
): Promise<void> {
  const { uploads, results, inputs, reclaimable } = await readUse(database, user.id);
  const imageJobs = await countUnfinishedImageJobs(database, user.id);
  const used = uploads + results + inputs + imageJobs * IMAGE_RESULT_BYTES;
  hasRoom({ limit: await storageLimitOf(database, quota, user), used, reclaimable, needed: bytes });
}

const countUnfinishedImageJobs = (database: Database, userId: string): Promise<number> =>
  database.getRepository(JobEntity).countBy({ userId, status: In(['queued', 'running']), queue: 'image' });

/**
 * Checks that the user has room for a permanent file. If needed, frees room by permanently deleting the user's deleted
 * creations and the originals of batches. Locks the user's row. Ignores temporary uploads, which expire within an hour.
 * @returns keys of files that the caller must delete after the commit
 * @throws AppError STORAGE_FULL
 */
export async function requireRoomForFile(
  transaction: Transaction,
  quota: StorageQuota,
  userId: string,
  bytes: number,
  reclaimStorage: ReclaimStorage,
): Promise<string[]> {
  const user = await lockUser(transaction, userId);
  const { results: used, reclaimable } = await readUse(transaction, userId);
  const limit = await storageLimitOf(transaction, quota, user);
  const isRoom = hasRoom({ limit, used, reclaimable, needed: bytes });
  return isRoom ? [] : reclaimStorage(transaction, userId);
}

/** Bytes: the user's limit, stored bytes, the part of the stored bytes that can be freed, and bytes to be stored. */
interface Room {
  limit: number;
  used: number;
  reclaimable: number;
  needed: number;
}

/**
 * @returns false if there is room only after storage is reclaimed
 * @throws AppError STORAGE_FULL if there would be no room even then
 */
function hasRoom({ limit, used, reclaimable, needed }: Room): boolean {
  if (used + needed <= limit) return true;
  if (used - reclaimable + needed > limit) throw storageFull({ used, needed, limit });
  return false;
}

export function storageFull({ used, needed, limit }: Omit<Room, 'reclaimable'>): AppError {
  return new AppError(
    'STORAGE_FULL',
    `Your storage is full: ${megabytes(used)} of ${megabytes(limit)} are in use, and this needs ${megabytes(needed)}. ` +
      'Delete creations or PDF chats that you no longer need, then try again. Nothing was charged.',
    { details: { used, needed, limit } },
  );
}

/** Formats bytes as megabytes with at most one decimal, rounded up. */
const megabytes = (bytes: number): string =>
  `${(Math.ceil((bytes / MB) * 10) / 10).toLocaleString('en-US')} MB`;

/**
 * Storage use is cached for users with at least MANY_CREATIONS creations, for CACHE_SECONDS, for at most
 * CACHE_MAX_USERS users.
 */
const MANY_CREATIONS = 1_000;
const CACHE_SECONDS = 30;
const CACHE_MAX_USERS = 1_000;

/** Caches the storage use of users with many creations, since computing it reads every creation. */
export class StoredBytesCache {
  private readonly entries = new Map<string, { bytes: number; countedAt: number }>();

  constructor(private readonly clock: Clock) {}

  bytesOf(userId: string): number | undefined {
    const entry = this.entries.get(userId);
    const isRecent = entry && this.clock.elapsed() - entry.countedAt < CACHE_SECONDS * 1_000;
    return isRecent ? entry.bytes : undefined;
  }

  /**
   * @param creations number of creations that were counted; null if `bytes` is the cached value plus later additions,
   *   so that the entry keeps its age
   */
  set(userId: string, bytes: number, creations: number | null): void {
    const countedAt = creations === null ? this.entries.get(userId)?.countedAt : this.clock.elapsed();
    this.entries.delete(userId);
    if (countedAt === undefined || (creations !== null && creations < MANY_CREATIONS)) return;
    this.entries.set(userId, { bytes, countedAt });
    const [oldest] = this.entries.keys();
    if (this.entries.size > CACHE_MAX_USERS && oldest !== undefined) this.entries.delete(oldest);
  }
}

/** Checks the storage quota for texts that users edit. */
export class RoomForTexts {
  private readonly cache: StoredBytesCache;

  constructor(
    private readonly quota: StorageQuota,
    clock: Clock = systemClock,
  ) {
    this.cache = new StoredBytesCache(clock);
  }

  /**
   * Checks that the user can store `needed` more bytes. Deleted creations and originals count as free, since they are
   * deleted when needed.
   * @throws AppError STORAGE_FULL
   */
  async require(database: Database, userId: string, needed: number): Promise<void> {
    if (needed <= 0) return;
    const user = await database.getRepository(UserEntity).findOneByOrFail({ id: userId });
    const limit = await storageLimitOf(database, this.quota, user);
    let used = this.cache.bytesOf(userId);
    if (used === undefined || used + needed > limit) {
      const { results, reclaimable, creations } = await readUse(database, userId);
      used = results - reclaimable;
      if (used + needed > limit) throw storageFull({ used, needed, limit });
      this.cache.set(userId, used, creations);
    }
    this.cache.set(userId, used + needed, null);
  }
}
