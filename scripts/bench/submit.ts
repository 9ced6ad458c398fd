import autocannon from 'autocannon';
import { startApi, startServer, type TestServer } from '../../test/support/process.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { cpuPerRequest, readCpuTimes } from './cpu.ts';
import { machine, onBothBackends, ratio, roundedMedian } from './figures.ts';
import { call, deleteJobs, fillBalances, signUpUsers, submissionHeaders, unlimited } from './users.ts';

const CONNECTIONS = 32;
const SECONDS = 6;
const ROUNDS = 3;
const USERS = 50;
const body = JSON.stringify({ prompt: 'Growing tomatoes on a balcony', length: 800 });

/**
 * Measures requests per second to `POST /api/ai/generate-article` on each backend, compared with two Express handlers:
 * one does one INSERT and one `queue.add`; the other does Pressroom's writes before `queue.add`. Also compares requests with
 * session tokens to requests with API keys.
 */
export async function benchSubmit(databaseUrl: string): Promise<void> {
  print(
    `Submit, requests a second, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s: ${machine()}`,
  );
  await onBothBackends((queue, variables) => compare(queue, databaseUrl, variables));
}

async function compare(queue: string, databaseUrl: string, extra: Record<string, string>): Promise<void> {
  const { bare, api, tokens, keys, stop } = await startSubmitServers(queue, databaseUrl, extra);
  try {
    const figures = {
      bare: [] as number[],
      same: [] as number[],
      ours: [] as number[],
      keys: [] as number[],
    };
    for (const path of ['/submit', '/submit-same-writes']) await load(`${bare.address}${path}`, [''], 1);
    await load(`${api.address}/api/ai/generate-article`, tokens, 1);
    const cpu = { same: '', ours: '' };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.bare.push(await load(`${bare.address}/submit`));
      const read = () => readCpuTimes({ client: process.pid, bare: bare.pid, api: api.pid });
      const before = read();
      figures.same.push(await load(`${bare.address}/submit-same-writes`));
      cpu.same = cpuPerRequest(before, read(), figures.same.at(-1)! * SECONDS);
      // No worker runs, so delete the jobs of the previous round.
      await deleteJobs(databaseUrl);
      const beforeOurs = read();
      figures.ours.push(await load(`${api.address}/api/ai/generate-article`, tokens));
      cpu.ours = cpuPerRequest(beforeOurs, read(), figures.ours.at(-1)! * SECONDS);
      await deleteJobs(databaseUrl);
      figures.keys.push(await load(`${api.address}/api/ai/generate-article`, keys));
    }
    const { bare: oneInsert, same, ours } = figures;
    print(
      `  queue on ${queue}: ours ${roundedMedian(ours)}; bare, one INSERT and one queue.add ${roundedMedian(oneInsert)}, ` +
        `ratio ${ratio(ours, oneInsert)}; bare, the same writes ${roundedMedian(same)}, ratio ${ratio(ours, same)}`,
    );
    print(`    with API keys ${roundedMedian(figures.keys)}, ratio to tokens ${ratio(figures.keys, ours)}`);
    print(`    CPU milliseconds for each request: ours ${cpu.ours}; the same writes ${cpu.same}`);
  } finally {
    await stop();
  }
}

interface SubmitServers {
  bare: TestServer;
  api: TestServer;
  /** A token and an API key of each user. */
  tokens: string[];
  keys: string[];
  stop: () => Promise<void>;
}

/** @param own additional environment variables of one server */
export async function startSubmitServers(
  queue: string,
  databaseUrl: string,
  extra: Record<string, string>,
  own: Partial<Record<'bare' | 'api', NodeJS.ProcessEnv>> = {},
): Promise<SubmitServers> {
  // Both backends have the same issuer, so that a token is valid on both.
  const environment = {
    ...unlimited,
    ...extra,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://localhost:3000',
  };
  const port = async () => ({ PORT: String(await freePort()) });
  const bare = await startServer('scripts/bench/bare.ts', { ...environment, ...own.bare, ...(await port()) });
  const api = await startApi({ ...environment, ...own.api, ...(await port()) });
  const tokens = await signUpUsers(api.address, queue === 'Redis' ? 0 : USERS);
  if (tokens.length > 0) await fillBalances(databaseUrl);
  signedUp.push(...tokens);
  signedUpKeys.push(...(await createKeys(api.address, tokens)));
  const stop = async () => void (await Promise.all([api.kill(), bare.kill()]));
  return { bare, api, tokens: signedUp, keys: signedUpKeys, stop };
}

/** A key for each token's user. */
async function createKeys(address: string, tokens: string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const token of tokens) {
    const settings = { name: 'Bench', scopes: ['text'] };
    keys.push((await call<{ secret: string }>(`${address}/api/keys`, token, settings)).secret);
  }
  return keys;
}

/** Tokens of the signed-up users, reused on the second backend because both backends share a database. */
const signedUp: string[] = [];
/** API keys of the same users. */
const signedUpKeys: string[] = [];

/** Sends requests for some seconds. @returns requests a second */
async function load(url: string, tokens?: string[], seconds = SECONDS): Promise<number> {
  return (await sendRequests(url, { duration: seconds }, tokens)).requests.average;
}

/** Each connection starts with another user's token, because submissions of one user are serialised by a row lock. */
export async function sendRequests(
  url: string,
  limit: Pick<autocannon.Options, 'duration' | 'amount'>,
  tokens: string[] = [''],
): Promise<autocannon.Result> {
  const requests = tokens.map((token): autocannon.Request => ({
    method: 'POST',
    headers: submissionHeaders(token),
    body,
  }));
  let first = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    ...limit,
    setupClient: (client) => {
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
      first = (first + 1) % requests.length;
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return result;
}
