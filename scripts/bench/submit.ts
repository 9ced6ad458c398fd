import autocannon from 'autocannon';
import { find } from '../../test/support/machine-programs.ts';
import { startApi, startServer, type TestProcess } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { emptyJobs, fillBalances, signUpUsers, unlimited } from './users.ts';

const CONNECTIONS = 32;
const SECONDS = 8;
const ROUNDS = 3;
const PEOPLE = 50;
const body = JSON.stringify({ prompt: 'Growing tomatoes on a balcony', length: 800 });

/** Requests a second of `POST /api/ai/generate-article`, answered 202, beside a bare Express handler, on each backend. */
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
  // One issuer for both servers of ours, so that the same tokens serve both.
  const environment = {
    ...unlimited,
    ...extra,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://localhost:3000',
  };
  const bare = await startServer('scripts/bench/bare.ts', { ...environment, PORT: String(await freePort()) });
  const api = await startApi({ ...environment, PORT: String(await freePort()) });
  try {
    const tokens = await signUpUsers(api.address, queue === 'Redis' ? 0 : PEOPLE);
    if (tokens.length > 0) await fillBalances(databaseUrl);
    signedUp.push(...tokens);
    const figures = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.bare.push(await load(`${bare.address}/submit`));
      // No worker runs, so the jobs of a round wait in the table; a round begins with an empty one, as days do.
      await emptyJobs(databaseUrl);
      figures.ours.push(await load(`${api.address}/api/ai/generate-article`, signedUp));
    }
    publish(queue, median(figures.bare), median(figures.ours));
  } finally {
    await stop(api, bare);
  }
}

/** Tokens of this run's users; they serve both backends, since both are on one database. */
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
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}

function publish(queue: string, bare: number, ours: number): void {
  print(
    `Submit, queue on ${queue}: ${Math.round(ours)} requests a second; bare Express, one INSERT and one queue.add: ` +
      `${Math.round(bare)}; ratio ${(ours / bare).toFixed(2)} (${CONNECTIONS} connections, median of ${ROUNDS} × ${SECONDS} s)`,
  );
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const stop = (...programs: TestProcess[]) => Promise.all(programs.map((program) => program.kill()));
