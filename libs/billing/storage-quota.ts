import { In } from 'typeorm';
import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Plan, StorageUse } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { queryRow, type Database, type Transaction } from '#libs/database/sql.js';
import { lockUser } from '#libs/accounts/lock-user.js';

/** Bytes that a user of each plan may store. */
export type StorageQuota = Record<Plan, number>;

/** Deletes for good what a user has deleted. @returns the keys of files to delete after the commit */
export type ReclaimStorage = (transaction: Transaction, userId: string) => Promise<string[]>;

/** Token of the product's {@link ReclaimStorage}. */
export const RECLAIM_STORAGE = Symbol('RECLAIM_STORAGE');

const MB = 1024 * 1024;
/** Kept free for the result of each unfinished job that makes an image. */
export const IMAGE_RESULT_BYTES = 4 * MB;
/** Kept free for the text of any other job. */
export const TEXT_RESULT_BYTES = 16 * 1024;

const useSchema = z.object({
  /** Of jobs; they go when their job succeeds, otherwise within the hour after its end. */
  uploads: z.coerce.number(),
  /** Images with their thumbnails, PDF documents, the profile picture, and the texts of creations with their versions. */
  results: z.coerce.number(),
  /** What unfinished and failed jobs were given as text. */
  inputs: z.coerce.number(),
  /** Of the results, those of deleted creations that can still be restored: they make room when it is needed. */
  deleted: z.coerce.number(),
  creations: z.coerce.number(),
});

/** Reads what a user stores, in bytes. Uploads that no job was made with are not counted yet. */
async function readUse(database: Database, userId: string): Promise<z.infer<typeof useSchema>> {
  const use = await queryRow(database, useSchema, `SELECT * FROM storage_use($1)`, [userId]);
  return use!;
}

/** What a user stores, as the account shows it. */
export async function readStorageUse(
  database: Database,
  quota: StorageQuota,
  { id, plan }: Pick<UserEntity, 'id' | 'plan'>,
): Promise<StorageUse> {
  const { uploads, results, inputs, deleted } = await readUse(database, id);
  return { used: Math.max(0, uploads + results + inputs - deleted), limit: quota[plan] };
}

/**
 * Refuses files that have no room, as the submission will, before they are received.
 * @param bytes that the files have at least
 * @throws AppError STORAGE_FULL
 */
export async function requireRoomAhead(
  database: Database,
  quota: StorageQuota,
  user: Pick<UserEntity, 'id' | 'plan'>,
  bytes: number,
): Promise<void> {
  const { uploads, results, inputs, deleted } = await readUse(database, user.id);
  const imageJobs = await countUnfinishedImageJobs(database, user.id);
  const used = uploads + results + inputs + imageJobs * IMAGE_RESULT_BYTES;
  hasRoom({ limit: quota[user.plan], used, deleted, needed: bytes });
}

const countUnfinishedImageJobs = (database: Database, userId: string): Promise<number> =>
  database.getRepository(JobEntity).countBy({ userId, status: In(['queued', 'running']), queue: 'image' });

/**
 * Checks that a file that is kept until its user deletes it has room, and makes room by deleting for good what the user
 * has deleted; it locks the user's row. What goes by itself within the hour does not count.
 * @returns the keys of files to delete after the commit
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
  const { results: used, deleted } = await readUse(transaction, userId);
  const isRoom = hasRoom({ limit: quota[user.plan], used, deleted, needed: bytes });
  return isRoom ? [] : reclaimStorage(transaction, userId);
}

/** What a user may store, stores, could still restore, and wants to store, in bytes. */
interface Room {
  limit: number;
  used: number;
  deleted: number;
  needed: number;
}

/**
 * @returns false where there is room once deleted creations are gone for good
 * @throws AppError STORAGE_FULL where not even then: what is left to restore stays
 */
function hasRoom({ limit, used, deleted, needed }: Room): boolean {
  if (used + needed <= limit) return true;
  if (used - deleted + needed > limit) throw storageFull({ used, needed, limit });
  return false;
}

export function storageFull({ used, needed, limit }: Omit<Room, 'deleted'>): AppError {
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

/** Creations from which on a count is kept for a while, seconds for which it is, and the most users of whom one is. */
const MANY_CREATIONS = 1_000;
const KNOWN_FOR_SECONDS = 30;
const KNOWN_USERS = 1_000;

/** What users of many creations store, as counted a moment ago: counting reads every one of them. */
export class KnownStorage {
  private readonly known = new Map<string, { bytes: number; countedAt: number }>();

  constructor(private readonly clock: Clock) {}

  of(userId: string): number | undefined {
    const known = this.known.get(userId);
    const isRecent = known && this.clock.elapsed() - known.countedAt < KNOWN_FOR_SECONDS * 1_000;
    return isRecent ? known.bytes : undefined;
  }

  /** @param creations that were counted; null where the bytes are the known ones and what was added since */
  remember(userId: string, bytes: number, creations: number | null): void {
    const countedAt = creations === null ? this.known.get(userId)?.countedAt : this.clock.elapsed();
    this.known.delete(userId);
    if (countedAt === undefined || (creations !== null && creations < MANY_CREATIONS)) return;
    this.known.set(userId, { bytes, countedAt });
    const [oldest] = this.known.keys();
    if (this.known.size > KNOWN_USERS && oldest !== undefined) this.known.delete(oldest);
  }
}

/** Room for texts that users edit. */
export class RoomForTexts {
  private readonly known: KnownStorage;

  constructor(
    private readonly quota: StorageQuota,
    clock: Clock = systemClock,
  ) {
    this.known = new KnownStorage(clock);
  }

  /**
   * Checks that a text has room that needs so many bytes more. Deleted creations make room, and go when a job needs it.
   * @throws AppError STORAGE_FULL
   */
  async require(database: Database, userId: string, needed: number): Promise<void> {
    if (needed <= 0) return;
    const { plan } = await database.getRepository(UserEntity).findOneByOrFail({ id: userId });
    const limit = this.quota[plan];
    let used = this.known.of(userId);
    if (used === undefined || used + needed > limit) {
      const { results, deleted, creations } = await readUse(database, userId);
      used = results - deleted;
      if (used + needed > limit) throw storageFull({ used, needed, limit });
      this.known.remember(userId, used, creations);
    }
    this.known.remember(userId, used + needed, null);
  }
}
