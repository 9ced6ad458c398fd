import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.js';
import { FirstAnswers } from './first-answers.js';

let platform: JobPlatform;
let answers: FirstAnswers;
beforeAll(async () => {
  platform = await openJobPlatform();
  answers = new FirstAnswers(platform.dataSource);
});
afterAll(() => platform.close());

it('keeps the first answer of each person, tool and key', async () => {
  const [ada, ben] = [await platform.person(), await platform.person()];
  const ask = (personId: string, key: string, answer: unknown) =>
    answers.once({ personId, tool: 'calculate-ats-score', key }, () => Promise.resolve(answer));
  expect(await ask(ada, 'one', { score: 1 })).toEqual({ score: 1 });
  expect(await ask(ada, 'one', { score: 2 })).toEqual({ score: 1 });
  expect(await ask(ada, 'two', { score: 3 })).toEqual({ score: 3 });
  expect(await ask(ben, 'one', { score: 4 })).toEqual({ score: 4 });
});

it('gives all who ask at once the same one', async () => {
  const personId = await platform.person();
  const asked = Array.from({ length: 5 }, (_, index) =>
    answers.once({ personId, tool: 'calculate-ats-score', key: 'race' }, () => Promise.resolve({ index })),
  );
  expect(new Set((await Promise.all(asked)).map(({ index }) => index)).size).toBe(1);
});

it('keeps nothing of a failure, and nothing of a person who has gone', async () => {
  const personId = await platform.person();
  const key = { personId, tool: 'calculate-ats-score', key: 'failing' };
  await expect(answers.once(key, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await answers.once(key, () => Promise.resolve('yes'))).toBe('yes');
  await platform.sql('DELETE FROM people WHERE id = $1', [personId]);
  expect(await platform.sql('SELECT FROM first_answers WHERE person_id = $1', [personId])).toEqual([]);
});
