import autocannon from 'autocannon';
import { find } from '../../test/support/machine-programs.ts';
import { startApi, startServer, type TestProcess } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { cpuOfEach, readCpuTimes } from './cpu.ts';
import { machine, median, ratio } from './figures.ts';
import { deleteJobs, fillBalances, signUpUsers, unlimited } from './users.ts';

const CONNECTIONS = 32;
const SECONDS = 6;
const ROUNDS = 3;
const USERS = 50;
const body = JSON.stringify({ prompt: 'Growing tomatoes on a balcony', length: 800 });

/**
 * Requests a second to `POST /api/ai/generate-article` on each backend, compared with two bare Express handlers: one with
 * one INSERT and one `queue.add`, and one that stores job, charge and ledger entry in one transaction before it adds.
 */
export async function benchSubmit(databaseUrl: string): Promise<void> {
  print(
    `Submit, requests a second, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s: ${machine()}`,
  );
  await compare('PostgreSQL', databaseUrl, {});
  if (!find('redis')) return print('Redis: left out, since redis-server is not on this machine.');
  const redis = await startRedis();
  try {
    await compare('Redis', databaseUrl, { REDIS_URL: redis.url });
  } finally {
    await redis.stop();
  }
  print(`  at the end: ${machine()}`);
}

async function compare(queue: string, databaseUrl: string, extra: Record<string, string>): Promise<void> {
  // The same issuer on both backends, so that a token is valid on both.
  const environment = {
    ...unlimited,
    ...extra,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://localhost:3000',
  };
  const bare = await startServer('scripts/bench/bare.ts', { ...environment, PORT: String(await freePort()) });
  const api = await startApi({ ...environment, PORT: String(await freePort()) });
  try {
    const tokens = await signUpUsers(api.address, queue === 'Redis' ? 0 : USERS);
    if (tokens.length > 0) await fillBalances(databaseUrl);
    signedUp.push(...tokens);
    const figures = { bare: [] as number[], same: [] as number[], ours: [] as number[] };
    for (const path of ['/submit', '/submit-same-writes']) await load(`${bare.address}${path}`, [''], 1);
    await load(`${api.address}/api/ai/generate-article`, signedUp, 1);
    const cpu = { same: '', ours: '' };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.bare.push(await load(`${bare.address}/submit`));
      const read = () => readCpuTimes({ client: process.pid, bare: bare.pid, api: api.pid });
      const before = read();
      figures.same.push(await load(`${bare.address}/submit-same-writes`));
      cpu.same = cpuOfEach(before, read(), figures.same.at(-1)! * SECONDS);
      // No worker runs; each round starts with an empty table.
      await deleteJobs(databaseUrl);
      const begun = read();
      figures.ours.push(await load(`${api.address}/api/ai/generate-article`, signedUp));
      cpu.ours = cpuOfEach(begun, read(), figures.ours.at(-1)! * SECONDS);
    }
    const { bare: oneInsert, same, ours } = figures;
    print(
      `  queue on ${queue}: ours ${rounded(ours)}; bare, one INSERT and one queue.add ${rounded(oneInsert)}, ` +
        `ratio ${ratio(ours, oneInsert)}; bare, the same writes ${rounded(same)}, ratio ${ratio(ours, same)}`,
    );
    print(`    milliseconds of processor for a request: ours ${cpu.ours}; the same writes ${cpu.same}`);
  } finally {
    await stop(api, bare);
  }
}

const rounded = (figures: number[]) => Math.round(median(figures));

/** The tokens of this run, for both backends: they share a database. */
const signedUp: string[] = [];

/** Each connection begins with another user: what one user submits at once is taken one after the other. */
async function load(url: string, tokens: string[] = [''], seconds = SECONDS): Promise<number> {
  const requests = tokens.map((token): autocannon.Request => ({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      prefer: 'respond-async',
      authorization: `Bearer ${token}`,
    },
    body,
  }));
  let first = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => {
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
      first = (first + 1) % requests.length;
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.average;
}

const stop = (...programs: TestProcess[]) => Promise.all(programs.map((program) => program.kill()));
