import autocannon from 'autocannon';
import { find } from '../../test/support/machine-programs.ts';
import { startApi, startServer, type TestProcess } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { deleteJobs, fillBalances, signUpUsers, unlimited } from './users.ts';

const CONNECTIONS = 32;
const SECONDS = 8;
const ROUNDS = 3;
const USERS = 50;
const body = JSON.stringify({ prompt: 'Growing tomatoes on a balcony', length: 800 });

/** Requests a second to `POST /api/ai/generate-article`, compared with a bare Express handler, on each backend. */
export async function benchSubmit(databaseUrl: string): Promise<void> {
  await compare('PostgreSQL', databaseUrl, {});
  if (!find('redis')) return print('Redis: left out, since redis-server is not on this machine.');
  const redis = await startRedis();
  try {
    await compare('Redis', databaseUrl, { REDIS_URL: redis.url });
  } finally {
    await redis.stop();
  }
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
    const figures = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.bare.push(await load(`${bare.address}/submit`));
      // No worker runs; each round starts with an empty table.
      await deleteJobs(databaseUrl);
      figures.ours.push(await load(`${api.address}/api/ai/generate-article`, signedUp));
    }
    printResult(queue, median(figures.bare), median(figures.ours));
  } finally {
    await stop(api, bare);
  }
}

/** The tokens of this run, for both backends: they share a database. */
const signedUp: string[] = [];

async function load(url: string, tokens: string[] = ['']): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: tokens.map((token) => ({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        prefer: 'respond-async',
        authorization: `Bearer ${token}`,
      },
      body,
    })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.average;
}

function printResult(queue: string, bare: number, ours: number): void {
  print(
    `Submit, queue on ${queue}: ${Math.round(ours)} requests a second; bare Express, one INSERT and one queue.add: ` +
      `${Math.round(bare)}; ratio ${(ours / bare).toFixed(2)} (${CONNECTIONS} connections, median of ${ROUNDS} × ${SECONDS} s)`,
  );
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const stop = (...programs: TestProcess[]) => Promise.all(programs.map((program) => program.kill()));
