import pg from 'pg';
import { startFakeProvider } from '../../test/provider/server.ts';
import { startApi, startWorker, type TestProcess, type TestServer } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { freePort } from '../stack/ports.ts';
import { deleteJobs, fillBalances, readTokens, signUp, submitJob, unlimited } from './users.ts';

export type Product = Awaited<ReturnType<typeof startProduct>>;

interface ProductOptions {
  variables: NodeJS.ProcessEnv;
  users: number;
  /** Duration of a call to the provider in milliseconds. */
  answerMs: number;
  /** Default 1. With more, `variables` must have a `PUBLIC_URL`, so that a token is valid on each. */
  apis?: number;
}

/** Starts the product for a bench: apis, any number of workers, and a fake provider that answers in one chunk. */
export async function startProduct(
  databaseUrl: string,
  { variables, users, answerMs, apis = 1 }: ProductOptions,
) {
  const provider = await startFakeProvider({
    wordsPerPiece: 1_000,
    defaults: { words: 40, paceMs: answerMs },
  });
  const environment = {
    ...unlimited,
    ...variables,
    DATABASE_URL: databaseUrl,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: provider.url,
    PORT: String(await freePort()),
  };
  let api = await startApi(environment);
  const others: TestServer[] = [];
  while (others.length < apis - 1)
    others.push(await startApi({ ...environment, PORT: String(await freePort()) }));
  let submitted = 0;
  const workers: TestProcess[] = [];
  const sessions = await signUp(api.address, users);
  const tokens = await readTokens(api.address, sessions);
  await fillBalances(databaseUrl);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  const killApi = () => api.kill('SIGKILL');
  const killOthers = () => Promise.all(others.map((other) => other.kill('SIGKILL')));
  const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.kill('SIGKILL')));
  return {
    /** A token for each user, valid for five minutes. */
    tokens,
    renewTokens: async () => void tokens.splice(0, users, ...(await readTokens(api.address, sessions))),
    workers,
    providerUrl: provider.url,
    /** Process ids of the first api and of the workers, by name. */
    pids: (): Record<string, number> => ({
      api: api.pid,
      ...Object.fromEntries(workers.map(({ pid }, index) => [`worker ${index}`, pid])),
    }),
    stopWorkers,
    killApi,
    startWorker: () => void workers.push(startWorker(environment)),
    /** Starts a new api on the same port, after the previous api has ended. */
    restartApi: async () => void (api = await startApi(environment)),
    sql: async <Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []) =>
      (await pool.query<Row>(text, parameters)).rows,
    /** The number of jobs that match an SQL condition. */
    countJobs: async (condition: string, parameters: unknown[] = []) => {
      const sql = `SELECT count(*)::integer AS count FROM jobs WHERE ${condition}`;
      return (await pool.query<{ count: number }>(sql, parameters)).rows[0]!.count;
    },
    deleteJobs: () => deleteJobs(databaseUrl),
    /** Submits to one api after another. */
    submit: (tool: 'generate-article' | 'generate-image', prompt: string, token = tokens[0]!) =>
      submitJob([api, ...others][submitted++ % apis]!.address, token, prompt, tool),
    close: async () => {
      await Promise.all([stopWorkers(), killApi(), killOthers(), pool.end()]);
      await provider.close();
    },
  };
}

/** Waits until the started workers have reported their slots. */
export async function untilWorking(product: Product): Promise<void> {
  await until(
    'all workers to start',
    async () => {
      const [row] = await product.sql<{ count: number }>(
        'SELECT count(DISTINCT worker_id)::integer AS count FROM worker_slots',
      );
      return row?.count === product.workers.length;
    },
    { seconds: 120, every: 50 },
  );
}

/** Runs a task `count` times, at most `concurrency` at a time. */
export async function inParallel(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) await task(next++);
    }),
  );
}
