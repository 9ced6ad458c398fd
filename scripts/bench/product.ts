import pg from 'pg';
import { startFakeProvider } from '../../test/provider/server.ts';
import { startApi, startWorker, type TestProcess, type TestServer } from '../../test/support/process.ts';
import { freePort } from '../stack/ports.ts';
import { deleteJobs, fillBalances, signUpUsers, submitJob, unlimited } from './users.ts';

interface Parts {
  environment: NodeJS.ProcessEnv & { PORT: string };
  closeProvider: () => Promise<void>;
}

/** The product for a bench: one api, any number of workers, and a fake provider that answers in one piece. */
export class Product {
  readonly workers: TestProcess[] = [];

  readonly databaseUrl: string;
  readonly providerUrl: string;
  /** A token for each user, valid for five minutes. */
  readonly tokens: string[];
  api: TestServer;
  private readonly environment: NodeJS.ProcessEnv & { PORT: string };
  private readonly closeProvider: () => Promise<void>;
  private readonly pool: pg.Pool;

  private constructor(parts: Pick<Product, 'databaseUrl' | 'providerUrl' | 'tokens' | 'api'> & Parts) {
    this.databaseUrl = parts.databaseUrl;
    this.providerUrl = parts.providerUrl;
    this.tokens = parts.tokens;
    this.api = parts.api;
    this.environment = parts.environment;
    this.closeProvider = parts.closeProvider;
    this.pool = new pg.Pool({ connectionString: parts.databaseUrl, max: 2 });
    this.pool.on('error', () => undefined);
  }

  /** @param answerMs the duration of a call to the provider */
  static async start(
    databaseUrl: string,
    { variables, users, answerMs }: { variables: NodeJS.ProcessEnv; users: number; answerMs: number },
  ): Promise<Product> {
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
    const api = await startApi(environment);
    const tokens = await signUpUsers(api.address, users);
    await fillBalances(databaseUrl);
    const closeProvider = () => provider.close();
    return new Product({ databaseUrl, providerUrl: provider.url, tokens, api, environment, closeProvider });
  }

  startWorker(): TestProcess {
    const worker = startWorker(this.environment);
    this.workers.push(worker);
    return worker;
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.kill('SIGKILL')));
  }

  /** Starts the api on the same port. */
  async restartApi(): Promise<void> {
    this.api = await startApi(this.environment);
  }

  async sql<Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, parameters)).rows;
  }

  deleteJobs = () => deleteJobs(this.databaseUrl);

  submit = (tool: 'generate-article' | 'generate-image', prompt: string, token = this.tokens[0]!) =>
    submitJob(this.api.address, token, prompt, tool);

  async close(): Promise<void> {
    await Promise.all([this.stopWorkers(), this.api.kill('SIGKILL'), this.pool.end()]);
    await this.closeProvider();
  }
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
