import { request } from 'node:http';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { query } from '../../scripts/stack/query.ts';
import { during, STRENGTH } from '../../test/support/attack.ts';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const LIST = '/api/user/get-user-creations';
const CREATIONS = 1_000 * STRENGTH;
const AT_ONCE = 20 * STRENGTH;
/** Generous, since tests share the machine, but less than a search without limits would take. */
const SOON_MS = 10_000;
/**
 * COMMON: words in each text. ALMOST: a word in no text, although all its trigrams are, so that the trigram index
 * cannot exclude any text.
 */
const COMMON = Array.from({ length: 64 }, (_, i) => `q${i % 10}${i}`);
const ALMOST = `${'a'.repeat(20)}b`;
const TRIGRAMS = Array.from({ length: 8 }, (_, i) => `aab${i}`);

const product = useInProcessProduct({ RATE_LIMIT_REQUESTS: '1000000' });
let mallory: SignedInUser;
let bob: SignedInUser;

beforeAll(async () => {
  [mallory, bob] = [await product.signUp('Mallory'), await product.signUp('Bob')];
  await addCreations(
    mallory,
    CREATIONS,
    ['a'.repeat(16_000), ...TRIGRAMS, (COMMON.join(' ') + ' ').repeat(15)].join(' '),
  );
  await product.sql('ANALYZE creations');
});

async function addCreations({ id }: SignedInUser, count: number, content: string): Promise<void> {
  await product.sql(
    `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
     SELECT gen_random_uuid(), $1, 'generate-article', 'article', 'About ' || number, number || ' ' || $3::text, 'offline'
     FROM generate_series(1, $2::integer) AS number`,
    [id, count, content],
  );
}

const search = (client: SignedInUser, words: string[], rest = '&limit=5') =>
  client.call(`${LIST}?search=${encodeURIComponent(words.join(' ').slice(0, 200))}${rest}`);

describe('a search', () => {
  it('uses the first eight different words', async () => {
    const words = COMMON.slice(0, 8);
    await addCreations(bob, 1, COMMON.join(' '));
    const found = async (searched: string[]) => (await json(await search(bob, searched))).creations.length;
    expect(await found([...words, ...words, 'nowhere'])).toBe(1);
    expect(await found([...words.slice(1), 'nowhere'])).toBe(0);
  });

  it('of 64 words in many long creations is answered in time, or cancelled', async () => {
    const begun = performance.now();
    const answer = await search(mallory, COMMON);
    expect([200, 503]).toContain(answer.status);
    expect(answer.headers.has('retry-after')).toBe(answer.status === 503);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
  });

  it.each([
    ['words that all texts have', COMMON],
    ['words that all texts almost have', Array.from({ length: 8 }, (_, i) => ALMOST + i)],
  ])('of %s, many times at once, does not block other users', async (_, words) => {
    const attack = Promise.all(Array.from({ length: AT_ONCE }, () => search(mallory, words)));
    const { statuses, slowest } = await during(attack, () => search(bob, ['fox']));
    const answers = await attack;
    const impact = { attack: tally(answers.map(({ status }) => status)), other: tally(statuses), slowest };
    expect(impact).toMatchObject({ other: { 200: statuses.length } });
    expect(slowest).toBeLessThan(SOON_MS);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([429, 503]).toContain(answer.status);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('is cancelled when its client disconnects', async () => {
    const url = `${product.origin}${LIST}?search=${encodeURIComponent(ALMOST)}`;
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    // The lock blocks the search.
    await product.dataSource.transaction(async (transaction) => {
      await transaction.query('LOCK TABLE creations IN ACCESS EXCLUSIVE MODE');
      const call = request(url, { headers: { Authorization: `Bearer ${mallory.token}` } }).end();
      call.on('error', () => undefined);
      await until('the search to run', isSearching);
      call.destroy();
      await until('the search to be cancelled', () =>
        queries.mock.calls.some(([text]) => String(text).startsWith('SELECT pg_cancel_backend')),
      );
      await until('the search to end', async () => !(await isSearching()));
    });
    queries.mockRestore();
  });
});

async function isSearching(): Promise<boolean> {
  const { rows } = await query(
    product.config.databaseUrl,
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND state = 'active' AND query LIKE '%search_text LIKE%'`,
  );
  return rows.length > 0;
}

const tally = (statuses: number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((each) => each === status).length]),
  );
