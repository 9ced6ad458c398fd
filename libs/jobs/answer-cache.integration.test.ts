import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.js';
import { AnswerCache } from './answer-cache.js';
import { applyRetention } from '#libs/creations/retention.js';

let platform: JobPlatform;
let answers: AnswerCache;
beforeAll(async () => {
  platform = await openJobPlatform();
  answers = new AnswerCache(platform.dataSource);
});
afterAll(() => platform.close());

it('stores the first answer of each user, tool and key', async () => {
  const [ada, ben] = [await platform.user(), await platform.user()];
  const ask = (userId: string, key: string, answer: unknown) =>
    answers.once({ userId, tool: 'calculate-ats-score', key }, randomUUID(), () => Promise.resolve(answer));
  expect(await ask(ada, 'one', { score: 1 })).toEqual({ score: 1 });
  expect(await ask(ada, 'one', { score: 2 })).toEqual({ score: 1 });
  expect(await ask(ada, 'two', { score: 3 })).toEqual({ score: 3 });
  expect(await ask(ben, 'one', { score: 4 })).toEqual({ score: 4 });
});

it('returns the same answer to simultaneous requests', async () => {
  const userId = await platform.user();
  const concurrent = Array.from({ length: 5 }, (_, index) =>
    answers.once({ userId, tool: 'calculate-ats-score', key: 'race' }, randomUUID(), () =>
      Promise.resolve({ index }),
    ),
  );
  expect(new Set((await Promise.all(concurrent)).map(({ index }) => index)).size).toBe(1);
});

it('stores nothing after a failure, and nothing for a deleted user', async () => {
  const userId = await platform.user();
  const key = { userId, tool: 'calculate-ats-score', key: 'failing' };
  await expect(answers.once(key, randomUUID(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await answers.once(key, randomUUID(), () => Promise.resolve('yes'))).toBe('yes');
  await platform.sql('DELETE FROM users WHERE id = $1', [userId]);
  expect(await platform.sql('SELECT FROM answer_cache WHERE user_id = $1', [userId])).toEqual([]);
});

it('deletes an answer with the creation of any job that used it, and after seven days without a creation', async () => {
  const userId = await platform.user();
  const ask = (key: string, jobId: string) =>
    answers.once({ userId, tool: 'calculate-ats-score', key }, jobId, () => Promise.resolve(key));
  const [first, second] = [(await platform.submit(userId)).id, (await platform.submit(userId)).id];
  for (const [key, job] of [
    ['both', first],
    ['both', second],
    ['first', first],
    ['none', randomUUID()],
    ['new', randomUUID()],
  ] as const)
    await ask(key, job);
  await platform.sql(
    `INSERT INTO creations (id, user_id, job_id, tool, type, prompt, content, engine, deleted_at)
     SELECT gen_random_uuid(), user_id, id, tool, 'score', '', '', 'offline',
       CASE id WHEN $1 THEN now() - interval '25 hours' END
     FROM jobs WHERE id IN ($1, $2)`,
    [second, first],
  );
  await platform.sql(`UPDATE answer_cache SET created_at = now() - interval '8 days' WHERE key <> 'new'`);
  await applyRetention(platform.dataSource, platform.files, { retentionDays: 90 });
  const left = await platform.sql<{ key: string }>('SELECT key FROM answer_cache WHERE user_id = $1', [
    userId,
  ]);
  expect(left.map(({ key }) => key).sort()).toEqual(['first', 'new']);
});
