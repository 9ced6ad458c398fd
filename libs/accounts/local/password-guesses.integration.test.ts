import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { testDatabase, testPool, type TestDatabase } from '../../../test/support/database.js';
import { setDate } from '../../../test/support/fake-date.ts';
import { PasswordGuesses } from './password-guesses.js';
import { rateLimitStorage } from './rate-limit-storage.js';

let database: TestDatabase;
let pool: pg.Pool;
let guesses: PasswordGuesses;

beforeAll(async () => {
  database = await testDatabase();
  pool = testPool(database.url, 5);
  guesses = new PasswordGuesses(rateLimitStorage(pool));
  // Freezes the clock, which only `pass` advances, because waits are rounded up to whole seconds.
  setDate(Date.now());
});
afterAll(async () => {
  jest.useRealTimers();
  await pool.end();
  await database.drop();
});

const pass = (seconds: number) =>
  pool.query('UPDATE auth_rate_limits SET expire = expire - $1', [seconds * 1000]);

/** Makes wrong guesses, each as soon as it is allowed. @returns the seconds of waiting before each guess */
async function waitsOf(account: string, count: number, sourceOf: (i: number) => string): Promise<number[]> {
  const waits: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const guesser = { account, source: sourceOf(i), hasSignedIn: false };
    const guess = await guesses.begin(guesser);
    if (typeof guess !== 'number') continue;
    waits.push(guess);
    await pass(guess);
    expect(await guesses.begin(guesser)).not.toEqual(expect.any(Number));
  }
  return waits;
}

describe('wrong passwords', () => {
  it('of one source wait up to 15 minutes', async () => {
    const waits = await waitsOf('ada', 17, () => 'one');
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]);
  });

  it('of 300 sources wait up to a minute', async () => {
    const waits = await waitsOf('bob', 300, (i) => `source ${i}`);
    expect(waits).toHaveLength(280);
    expect([waits[0], Math.max(...waits), waits.at(-1)]).toEqual([5, 60, 60]);
    const known = { account: 'bob', source: 'a device', hasSignedIn: true };
    expect(await guesses.begin(known)).not.toEqual(expect.any(Number));
  });

  it('do not count if they were right or not compared', async () => {
    const guesser = { account: 'eve', source: 'one', hasSignedIn: false };
    for (let i = 0; i < 30; i += 1) {
      const guess = await guesses.begin(guesser);
      if (typeof guess === 'number') throw new Error(`Guess ${i} has to wait.`);
      await (i % 2 ? guess.accept() : guess.withdraw());
    }
  });
});
