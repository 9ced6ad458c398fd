import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deleteUser } from '#libs/accounts/delete-user.js';
import type { ObjectStore } from '#libs/storage/object-store.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { unzip } from '../../test/support/unzip.ts';
import { exportUser } from './export-user.js';
import { countUserRows } from './user-data.js';

allowTimeForPrograms();

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform();
});
afterAll(() => platform.close());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MB = 1024 * 1024;

/** Bytes in use after two garbage collections: buffers that one frees count as used until the next begins. */
function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A user with texts of 8 KB each, and as many calls of the AI service. */
async function userWith(creations: number): Promise<string> {
  const userId = await platform.user();
  for (let stored = 0; stored < creations; stored += 250)
    await platform.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
       SELECT gen_random_uuid(), $1, 'generate-article', 'article', 'Harbours',
         repeat('The harbour is quiet. ', 400) || n, 'offline'
       FROM generate_series($2::integer, $2::integer + 249) AS n`,
      [userId, stored],
    );
  await platform.sql(
    `INSERT INTO provider_calls (id, job_id, attempt, user_id, plan, tool, model, provider, kind, status, started_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 1, $1, 'free', 'generate-article', 'm', 'main', 'chat', 'ok', now()
     FROM generate_series(1, $2::integer)`,
    [userId, creations],
  );
  return userId;
}
/** These users have no files. */
const open = (userId: string) => exportUser(platform.dataSource, {} as ObjectStore, userId);

/** Bytes of the ZIP between two measurements: a collection of all garbage takes long, and a ZIP has hundreds of small pieces. */
const MEASURE_EVERY = 16 * 1024;

/** Highest number of bytes in use, more than before, while the ZIP is read. The texts compress well. */
async function peakOf(userId: string): Promise<{ peak: number; size: number }> {
  const before = usedBytes();
  let [peak, size, next] = [0, 0, 0];
  for await (const chunk of await open(userId)) {
    size += (chunk as Buffer).length;
    if (size < next) continue;
    peak = Math.max(peak, usedBytes() - before);
    next = size + MEASURE_EVERY;
  }
  return { peak, size };
}

it('needs as much memory for 5,000 creations as for 500, and has every row that the deletion deletes', async () => {
  const [few, many] = [await userWith(500), await userWith(5_000)];
  await peakOf(few);
  const small = await peakOf(few);
  const large = await peakOf(many);
  expect(large.size).toBeGreaterThan(4 * small.size);
  expect(large.peak).toBeLessThan(small.peak + 8 * MB);

  const chunks: Buffer[] = [];
  for await (const chunk of await open(many)) chunks.push(chunk as Buffer);
  const exported: Record<string, number> = {};
  for (const [name, content] of unzip(Buffer.concat(chunks))) {
    const lines = content.toString().split('\n').length - 1;
    if (lines > 0) exported[name.replace(/^data\/|\.jsonl$/g, '')] = lines;
  }
  expect(exported).toEqual(await countUserRows(platform.dataSource, many));
  expect(exported).toMatchObject({ users: 1, creations: 5_000, provider_calls: 5_000 });
  await deleteUser(platform.dataSource, platform.files, many);
  expect(await countUserRows(platform.dataSource, many)).toEqual({});
});
