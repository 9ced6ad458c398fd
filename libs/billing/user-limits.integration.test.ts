import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.js';
import { readAccount } from './account.js';
import { requireRoomAhead, requireRoomForFile, RoomForTexts } from './storage-quota.js';
import { deletePastUserLimits, setUserLimits } from './user-limits.js';

const MB = 1024 * 1024;
const storageQuota = { free: 10 * MB, premium: 100 * MB };
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform({ storageQuota, unfinishedPerUser: 2 });
});
afterAll(() => platform?.close());

const limit = (user: string, unfinishedJobs: number | null, storageBytes: number | null) =>
  platform.dataSource.transaction((transaction) =>
    setUserLimits(transaction, user, { unfinishedJobs, storageBytes, until: TOMORROW }),
  );
const end = (user: string) =>
  platform.sql(`UPDATE user_limits SET until = now() - interval '1 second' WHERE user_id = $1`, [user]);

it('are the number of unfinished jobs of their user alone, until they end', async () => {
  const [ada, ben] = [await platform.user(), await platform.user()];
  await limit(ada, 3, null);
  for (let n = 0; n < 3; n += 1) await platform.submit(ada);
  await expect(platform.submit(ada)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('3 unfinished jobs'),
  });
  await limit(ben, 1, null);
  await platform.submit(ben);
  await expect(platform.submit(ben)).rejects.toMatchObject({
    message: expect.stringContaining('1 unfinished job.'),
  });
  await end(ben);
  await platform.submit(ben);
  await end(ada);
  await expect(platform.submit(ada)).rejects.toMatchObject({
    message: expect.stringContaining('2 unfinished jobs'),
  });
});

it('are the storage of jobs, uploads, files and texts', async () => {
  const ada = await platform.user();
  const plan = 'free' as const;
  const upload = () =>
    platform.files.add({
      ...{ userId: ada, kind: 'upload', type: 'application/pdf', name: 'cv.pdf' },
      content: Buffer.alloc(11 * MB),
    });
  const submit = async () =>
    platform.submit(ada, { tool: 'resume-review', input: {}, files: { resume: await upload() } });
  const checks = () => [
    requireRoomAhead(platform.dataSource, storageQuota, { id: ada, plan }, 11 * MB),
    platform.dataSource.transaction((transaction) =>
      requireRoomForFile(transaction, storageQuota, ada, 11 * MB, async () => []),
    ),
    new RoomForTexts(storageQuota).require(platform.dataSource, ada, 11 * MB),
  ];
  const codes = async () =>
    (await Promise.allSettled(checks())).map((check) =>
      check.status === 'rejected' ? (check.reason as { code: string }).code : 'room',
    );
  await expect(submit()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  expect(await codes()).toEqual(Array(3).fill('STORAGE_FULL'));
  await limit(ada, null, 30 * MB);
  expect(await codes()).toEqual(Array(3).fill('room'));
  await submit();
  await limit(ada, null, 1 * MB);
  await expect(submit()).rejects.toMatchObject({ code: 'STORAGE_FULL', details: { limit: 1 * MB } });
});

it('are in the account, also in the one that a submission publishes', async () => {
  const ada = await platform.user();
  const own = { unfinishedJobs: 1, storageBytes: 20 * MB, until: TOMORROW };
  const read = () => readAccount(platform.dataSource, ada, storageQuota);
  await limit(ada, 1, 20 * MB);
  expect(await read()).toMatchObject({ limits: own, storage: { limit: 20 * MB } });
  await platform.submit(ada);
  const published = platform.live.published
    .filter(({ event, userId }) => event === 'account' && userId === ada)
    .at(-1);
  expect(published).toMatchObject({ payload: { limits: own, storage: { limit: 20 * MB } } });
  await end(ada);
  expect(await read()).toMatchObject({ limits: undefined, storage: { limit: 10 * MB } });
  expect(await deletePastUserLimits(platform.dataSource)).toBeGreaterThan(0);
});

it.each([new Date(Date.now() - 1_000), new Date(Date.now() + 400 * 86_400_000)])(
  'do not end at %s',
  async (time) => {
    const ada = await platform.user();
    const until = time.toISOString();
    await expect(
      platform.dataSource.transaction((transaction) =>
        setUserLimits(transaction, ada, { unfinishedJobs: 1, storageBytes: null, until }),
      ),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  },
);
