import { z } from 'zod';
import type { Plan, StorageUse } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { queryRow, type Database, type Transaction } from '#libs/database/sql.js';
import { purgeDeletedCreations } from './deleted-results.js';

/** Bytes that a user of each plan may store. */
export type StorageQuota = Record<Plan, number>;

const MB = 1024 * 1024;
/** Kept free for the result of each unfinished job that makes an image. */
const IMAGE_RESULT_BYTES = 4 * MB;
/** Kept free for the text of any other job. */
const TEXT_RESULT_BYTES = 16 * 1024;

const useSchema = z.object({
  /** Of jobs; they go when their job succeeds, otherwise within the hour after its end. */
  uploads: z.number(),
  /** Images with their thumbnails, PDF documents, the profile picture, and the texts of creations. */
  results: z.number(),
  /** What unfinished and failed jobs were given as text. */
  inputs: z.number(),
  unfinishedImageJobs: z.number(),
});

/** Reads what a user stores, in bytes. Uploads that no job was made with are not counted yet. */
async function readUse(database: Database, userId: string): Promise<z.infer<typeof useSchema>> {
  const use = await queryRow(
    database,
    useSchema,
    `SELECT
       coalesce(sum(bytes) FILTER (WHERE kind = 'upload' AND job_id IS NOT NULL), 0)::float8 AS uploads,
       (coalesce(sum(bytes) FILTER (WHERE kind <> 'upload'), 0) + (
         SELECT coalesce(sum(octet_length(prompt) + octet_length(content)), 0)
         FROM creations WHERE user_id = $1))::float8 AS results,
       (SELECT coalesce(sum(pg_column_size(input)), 0)
        FROM jobs WHERE user_id = $1 AND input IS NOT NULL)::float8 AS inputs,
       (SELECT count(*)::integer FROM jobs
        WHERE user_id = $1 AND status IN ('queued', 'running') AND queue = 'image') AS "unfinishedImageJobs"
     FROM objects WHERE user_id = $1`,
    [userId],
  );
  return use!;
}

/** The bytes of deleted creations that can still be restored: they make room when it is needed. */
async function readDeleted(database: Database, userId: string): Promise<number> {
  const found = await queryRow(
    database,
    z.object({ bytes: z.number() }),
    `SELECT coalesce(sum(octet_length(prompt) + octet_length(content) + (
         SELECT coalesce(sum(bytes), 0) FROM objects WHERE creation_id = creations.id)), 0)::float8 AS bytes
     FROM creations WHERE user_id = $1 AND deleted_at IS NOT NULL`,
    [userId],
  );
  return found!.bytes;
}

/** What a user stores, as the account shows it. */
export async function readStorageUse(
  database: Database,
  quota: StorageQuota,
  { id, plan }: Pick<UserEntity, 'id' | 'plan'>,
): Promise<StorageUse> {
  const { uploads, results, inputs } = await readUse(database, id);
  const deleted = await readDeleted(database, id);
  return { used: Math.max(0, uploads + results + inputs - deleted), limit: quota[plan] };
}

/**
 * Checks that a new job has room for its files and its result, and makes room by deleting for good what the user has
 * deleted. The transaction holds the user's row.
 * @param newBytes of the job's files that are not counted yet
 * @returns the keys of files to delete after the commit
 * @throws AppError STORAGE_FULL
 */
export async function requireRoomForJob(
  transaction: Transaction,
  quota: StorageQuota,
  user: Pick<UserEntity, 'id' | 'plan'>,
  { queue, newBytes }: { queue: string; newBytes: number },
): Promise<string[]> {
  const needed = newBytes + (queue === 'image' ? IMAGE_RESULT_BYTES : TEXT_RESULT_BYTES);
  const used = await readUsedByJobs(transaction, user.id);
  return makeRoom(transaction, { userId: user.id, limit: quota[user.plan], used, needed });
}

/**
 * Refuses files that have no room, as {@link requireRoomForJob} will, before they are received.
 * @param bytes that the files have at least
 * @throws AppError STORAGE_FULL
 */
export async function requireRoomAhead(
  database: Database,
  quota: StorageQuota,
  user: Pick<UserEntity, 'id' | 'plan'>,
  bytes: number,
): Promise<void> {
  const used = await readUsedByJobs(database, user.id);
  await hasRoom(database, { userId: user.id, limit: quota[user.plan], used, needed: bytes });
}

/**
 * Checks that a file that is kept until its user deletes it has room, as {@link requireRoomForJob} does; it locks the
 * user's row. What goes by itself within the hour does not count.
 */
export async function requireRoomForFile(
  transaction: Transaction,
  quota: StorageQuota,
  userId: string,
  bytes: number,
): Promise<string[]> {
  const user = await transaction.findOne(UserEntity, {
    where: { id: userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!user) throw new AppError('UNAUTHENTICATED', 'This account no longer exists.');
  const { results: used } = await readUse(transaction, userId);
  return makeRoom(transaction, { userId, limit: quota[user.plan], used, needed: bytes });
}

async function readUsedByJobs(database: Database, userId: string): Promise<number> {
  const { uploads, results, inputs, unfinishedImageJobs } = await readUse(database, userId);
  return uploads + results + inputs + unfinishedImageJobs * IMAGE_RESULT_BYTES;
}

/** What a user may store, stores, and wants to store, in bytes. */
interface Room {
  userId: string;
  limit: number;
  used: number;
  needed: number;
}

const makeRoom = async (transaction: Transaction, room: Room): Promise<string[]> =>
  (await hasRoom(transaction, room)) ? [] : purgeDeletedCreations(transaction, room.userId);

/**
 * @returns false where there is room once deleted creations are gone for good
 * @throws AppError STORAGE_FULL where not even then
 */
async function hasRoom(database: Database, { userId, limit, used, needed }: Room): Promise<boolean> {
  if (used + needed <= limit) return true;
  // What is left to restore stays when it would not make enough room.
  if (used - (await readDeleted(database, userId)) + needed > limit) throw storageFull(used, needed, limit);
  return false;
}

function storageFull(used: number, needed: number, limit: number): AppError {
  return new AppError(
    'STORAGE_FULL',
    `Your storage is full: ${megabytes(used)} of ${megabytes(limit)} are in use, and this needs ${megabytes(needed)}. ` +
      'Delete creations or PDF chats that you no longer need, then try again. Nothing was charged.',
    { details: { used, needed, limit } },
  );
}

/** In MB with one decimal, rounded up. */
const megabytes = (bytes: number): string =>
  `${(Math.ceil((bytes / MB) * 10) / 10).toLocaleString('en-US')} MB`;
