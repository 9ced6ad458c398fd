import { createHash } from 'node:crypto';
import { IsNull, MoreThan, Not, type DataSource } from 'typeorm';
import { StoredObjectEntity } from '#libs/database/entities/creations.js';
import { ObjectMissing, type ObjectStore } from './object-store.js';

export interface Copied {
  copied: number;
  /** Number of objects that were already in the target store. */
  present: number;
  /** Keys of objects that are missing in the source store. */
  missing: string[];
  /** Keys of objects whose content does not match their hash. They are not copied. */
  damaged: string[];
}

type ObjectToCopy = Pick<StoredObjectEntity, 'key' | 'type' | 'bytes' | 'sha256'>;

const BATCH = 200;
/** Number of objects that are copied at the same time. Each is in memory and has at most 10 MB. */
const CONCURRENCY = 8;

/**
 * Copies the bytes of every object in the database from one store to another and checks their hashes. Skips objects that
 * exist in the target store, so repeat the call to resume an interrupted copy.
 * @throws StoreError if a store is unavailable
 */
export async function copyObjects(
  dataSource: DataSource,
  from: ObjectStore,
  to: ObjectStore,
): Promise<Copied> {
  const outcome: Copied = { copied: 0, present: 0, missing: [], damaged: [] };
  for (let after = ''; ;) {
    const batch = await dataSource.getRepository(StoredObjectEntity).find({
      where: { key: MoreThan(after), storedAt: Not(IsNull()), removedAt: IsNull() },
      order: { key: 'ASC' },
      take: BATCH,
    });
    if (batch.length === 0) return outcome;
    for (let start = 0; start < batch.length; start += CONCURRENCY) {
      await Promise.all(
        batch.slice(start, start + CONCURRENCY).map((object) => copyOne(object, from, to, outcome)),
      );
    }
    after = batch.at(-1)!.key;
  }
}

async function copyOne(
  { key, type, bytes, sha256 }: ObjectToCopy,
  from: ObjectStore,
  to: ObjectStore,
  outcome: Copied,
): Promise<void> {
  if ((await to.stat(key))?.bytes === bytes) {
    outcome.present += 1;
    return;
  }
  const content = await read(from, key);
  if (!content) {
    outcome.missing.push(key);
    return;
  }
  if (createHash('sha256').update(content).digest('hex') !== sha256) {
    outcome.damaged.push(key);
    return;
  }
  await to.put(key, content, type);
  outcome.copied += 1;
}

async function read(store: ObjectStore, key: string): Promise<Buffer | null> {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}
