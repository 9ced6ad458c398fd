import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '#libs/database/data-source.js';
import { ObjectMissing, StoreError, type ObjectStore } from '#libs/storage/object-store.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { until } from '../../test/support/until.ts';
import { unzip } from '../../test/support/unzip.ts';
import { exportUser } from './export-user.js';

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform();
});
afterAll(() => platform.close());

const keyOf = (name: string) => name.padEnd(43, '-');

/** A user with a row in `objects` for each name. Files whose name begins with "new" are not stored yet. */
async function userWithFiles(...names: string[]): Promise<string> {
  const userId = await platform.user();
  for (const name of names)
    await platform.sql(
      `INSERT INTO objects (key, user_id, kind, name, type, sha256, bytes, stored_at)
       VALUES ($1, $2, 'upload', $3, 'text/plain', '', 4, CASE WHEN $4 THEN NULL::timestamptz ELSE now() END)`,
      [keyOf(name), userId, `${name}.txt`, name.startsWith('new')],
    );
  return userId;
}

/** The export with a store that opens files by their name. */
const open = (userId: string, openFile: (name: string) => Promise<Readable>) =>
  exportUser(
    platform.dataSource,
    { open: (key: string) => openFile(key.replace(/-+$/, '')) } as ObjectStore,
    userId,
  );

const failing = () =>
  new Readable({
    read() {
      this.destroy(new Error('The disk fails.'));
    },
  });

it('leaves out files that are not stored yet, and lists those that were deleted meanwhile', async () => {
  const userId = await userWithFiles('a', 'b', 'c', 'newly');
  const zip = await open(userId, async (name) => {
    if (name === 'b') throw new ObjectMissing('There is no such object.');
    return Readable.from([`is ${name}`]);
  });
  const files = [...unzip(await buffer(zip))].filter(([name]) => !name.startsWith('data/'));
  expect(files.map(([name, content]) => [name, content.toString()])).toEqual([
    [`files/${keyOf('a')}.txt`, 'is a'],
    [`files/${keyOf('c')}.txt`, 'is c'],
    ['missing-files.txt', `files/${keyOf('b')}.txt\n`],
  ]);
});

it('fails alone if a file cannot be opened or read, or the database fails', async () => {
  const userId = await userWithFiles('broken');
  const refused = await open(userId, () => Promise.reject(new StoreError('The store is away.')));
  await expect(buffer(refused)).rejects.toThrow('The store is away.');
  await expect(buffer(await open(userId, async () => failing()))).rejects.toThrow('The disk fails.');

  const database = await createDataSource({ url: platform.database.url, poolSize: 1 }).initialize();
  const unread = await exportUser(database, {} as ObjectStore, userId);
  await database.destroy();
  await expect(buffer(unread)).rejects.toThrow(/connect|pool/i);
});

it('keeps an error until it is read', async () => {
  const userId = await userWithFiles('early');
  const zip = await open(userId, async () => failing());
  await until('the error', () => zip.destroyed);
  await expect(buffer(zip)).rejects.toThrow('The disk fails.');
});

it('closes the open file if the reader leaves', async () => {
  const userId = await userWithFiles('endless');
  const opened = Promise.withResolvers<Readable>();
  const endless = new Readable({ read: () => undefined });
  const zip = await open(userId, async () => {
    opened.resolve(endless);
    return endless;
  });
  zip.resume();
  await opened.promise;
  zip.destroy();
  await until('the file to be closed', () => endless.closed);
});
