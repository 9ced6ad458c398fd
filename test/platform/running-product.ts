import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importJWK, SignJWT, type JWK } from 'jose';
import { symmetricDecrypt } from 'better-auth/crypto';
import type pg from 'pg';
import { encryptionKey } from '#libs/accounts/local/secrets.js';
import type { Account } from '#libs/contract/account.js';
import type { Creation } from '#libs/contract/creations.js';
import type { Job } from '#libs/contract/jobs.js';
import { query } from '../../scripts/stack/query.ts';
import { startFakeProvider, type FakeProvider, type ProviderRequest } from '../provider/server.ts';
import { startApi, startWorker, type TestProcess, type TestServer } from '../support/process.ts';
import { newSession } from '../support/new-session.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { listen, type Listener } from './listener.ts';

const AUTH_SECRET = '7d3f0b9c5a1e8642f0c7b3d95e1a6480';
/** The password of every user here. */
const PASSWORD = 'correct horse battery';
export const PUBLIC_URL = 'http://localhost:4599';

/** The fields of answers that tests read by name: which of them are there depends on the call. */
export interface AnswerBody {
  job: Job;
  jobs: Job[];
  jobId: string;
  content: string;
  details: { field: string }[] & { jobId: string };
  creations: Creation[];
  [field: string]: unknown;
}

/** One answer over HTTP. */
export interface Answer {
  status: number;
  headers: Headers;
  body: AnswerBody;
}

export interface Call {
  method?: string;
  json?: unknown;
  headers?: Record<string, string>;
  /** Another token than the caller's own; an empty one sends none. */
  token?: string;
  body?: string | FormData;
  signal?: AbortSignal;
}

/**
 * The product as it runs: real api and worker processes on real services, with the fake provider behind them.
 * Leases are short, limits high.
 */
export class RunningProduct {
  readonly apis: TestServer[] = [];
  readonly workers: TestProcess[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'pressroom-platform-'));

  private constructor(
    readonly databaseUrl: string,
    private readonly redisUrl: string | undefined,
    readonly provider: FakeProvider,
    private readonly variables: NodeJS.ProcessEnv,
  ) {}

  /** @param services `variables` override all others; undefined ones are unset */
  static async start(
    services: { databaseUrl: string; redisUrl?: string; variables?: NodeJS.ProcessEnv },
    { apis = 1, workers = 1 } = {},
  ): Promise<RunningProduct> {
    const provider = await startFakeProvider({ wordsPerPiece: 4, defaults: { words: 40 } });
    const product = new RunningProduct(
      services.databaseUrl,
      services.redisUrl,
      provider,
      services.variables ?? {},
    );
    for (let i = 0; i < workers; i += 1) product.startWorker();
    await Promise.all(Array.from({ length: apis }, () => product.startApi()));
    return product;
  }

  async startApi(variables: NodeJS.ProcessEnv = {}): Promise<TestServer> {
    const PORT = variables.PORT ?? String(await freePort());
    const api = await startApi({ ...this.environment, ...variables, PORT });
    this.apis.push(api);
    return api;
  }

  startWorker(variables: NodeJS.ProcessEnv = {}): TestProcess {
    const worker = startWorker({ ...this.environment, ...variables });
    this.workers.push(worker);
    return worker;
  }

  /** Ends all workers. */
  async stopWorkers(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.kill(signal)));
  }

  /** Ends all workers but the first, or starts one where none is left. */
  async keepOneWorker(): Promise<void> {
    const kept = this.workers.shift();
    await this.stopWorkers();
    if (kept) this.workers.push(kept);
    else this.startWorker();
  }

  /** Ends all workers, and starts one with these variables. */
  async replaceWorkers(variables: NodeJS.ProcessEnv): Promise<void> {
    await this.stopWorkers();
    this.startWorker(variables);
  }

  async close(): Promise<void> {
    await Promise.all([...this.apis, ...this.workers].map((program) => program.kill('SIGKILL')));
    await this.provider.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get environment(): NodeJS.ProcessEnv {
    return {
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.redisUrl,
      PUBLIC_URL,
      AUTH_SECRET,
      REQUIRE_TWO_FACTOR: 'nobody',
      DATA_DIR: this.folder,
      LOG_LEVEL: 'warn',
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: this.provider.url,
      JOB_LEASE_SECONDS: '4',
      // A text that the provider stops waits for the test.
      AI_IDLE_SECONDS: '300',
      SHUTDOWN_SECONDS: '8',
      SYNC_WAIT_SECONDS: '60',
      RATE_LIMIT_REQUESTS: '100000',
      RATE_LIMIT_SUBMISSIONS: '100000',
      RATE_LIMIT_SIGN_IN: '100000',
      RATE_LIMIT_SIGN_UP: '100000',
      ...this.variables,
    };
  }

  async sql<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    return (await query(this.databaseUrl, text)).rows as Row[];
  }

  /** Creates a user, signed in. */
  async user({ plan = 'free' }: { plan?: 'free' | 'premium' } = {}): Promise<User> {
    const { userId, token: session } = await newSession(
      (text, parameters) => query(this.databaseUrl, text, parameters),
      { name: 'Ada', email: `${randomUUID()}@example.com`, password: PASSWORD },
    );
    const { token } = (await this.call('/api/auth/token', { token: session })).body;
    const user = new User(this, userId, token as string, session);
    await user.account();
    if (plan === 'premium') await this.sql(`UPDATE users SET plan = 'premium' WHERE id = '${user.id}'`);
    return user;
  }

  async call(
    path: string,
    { token, json, api = this.apis[0]!, ...call }: Call & { api?: TestServer } = {},
  ): Promise<Answer> {
    const headers = new Headers(call.headers);
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    const response = await fetch(`${api.address}${path}`, {
      method: call.method ?? (json === undefined && call.body === undefined ? 'GET' : 'POST'),
      body: json === undefined ? call.body : JSON.stringify(json),
      headers,
      signal: call.signal,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as AnswerBody,
    };
  }

  /** Requests an address that the product returned, without a token. */
  get(url: string, options: RequestInit = {}): Promise<Response> {
    if (!url.startsWith(`${PUBLIC_URL}/`)) throw new Error(`This is not an address of the product: ${url}`);
    return fetch(url.replace(PUBLIC_URL, this.apis[0]!.address), options);
  }

  /** A token as the product signs them, with the given lifetime. */
  async tokenFor(
    userId: string,
    { seconds, issuer = PUBLIC_URL }: { seconds: number; issuer?: string },
  ): Promise<string> {
    const [key] = await this.sql<{ id: string; privateKey: string }>(
      'SELECT "id", "privateKey" FROM auth_keys LIMIT 1',
    );
    if (!key) throw new Error('No token was made yet, so there is no key to sign with.');
    const jwk = JSON.parse(
      await symmetricDecrypt({
        key: encryptionKey({ current: AUTH_SECRET, previous: null }),
        data: JSON.parse(key.privateKey) as string,
      }),
    ) as JWK;
    return new SignJWT({ sid: 'a session', azp: issuer, name: 'Ada' })
      .setProtectedHeader({ alg: 'RS256', kid: key.id })
      .setIssuer(issuer)
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(await importJWK(jwk, 'RS256'));
  }

  /** Waits until the provider stops within a text, then lets all stopped texts continue. */
  async goOn(): Promise<void> {
    await until('the provider to wait in the middle', () => this.provider.stopped > 0);
    this.provider.goOn();
  }

  /** The provider's requests with this prompt, oldest first. */
  requestsOf(prompt: string): ProviderRequest[] {
    return this.provider.requests.filter(({ body }) =>
      body?.messages.some(({ content }) => content === prompt),
    );
  }
}

/** A token lives for five minutes. */
const TOKEN_RENEWAL_MS = 200_000;

/** A signed-in user of the product. */
export class User {
  private tokenReadAt = Date.now();

  constructor(
    private readonly product: RunningProduct,
    readonly id: string,
    public token: string,
    private readonly session?: string,
  ) {}

  async call(path: string, call: Call & { api?: TestServer } = {}): Promise<Answer> {
    if (this.session && Date.now() - this.tokenReadAt > TOKEN_RENEWAL_MS) await this.renewToken(this.session);
    return this.product.call(path, { token: this.token, ...call });
  }

  /** Suites on a busy machine take longer than a token lives. An api that is down now may know the token later. */
  private async renewToken(session: string): Promise<void> {
    const answer = await this.product.call('/api/auth/token', { token: session }).catch(() => null);
    if (answer?.status !== 200) return;
    this.token = answer.body.token as string;
    this.tokenReadAt = Date.now();
  }

  /** Requests an article and waits for the server's answer. */
  write(prompt: string, { headers, api, signal }: Call & { api?: TestServer } = {}): Promise<Answer> {
    return this.call('/api/ai/generate-article', { json: { prompt, length: 800 }, headers, api, signal });
  }

  /** Requests an image, with `Prefer: respond-async`. */
  async startImage(prompt: string): Promise<Job> {
    const headers = { Prefer: 'respond-async' };
    const answer = await this.call('/api/ai/generate-image', { json: { prompt }, headers });
    if (answer.status !== 202) throw new Error(`The job was not accepted: ${JSON.stringify(answer.body)}`);
    return answer.body.job;
  }

  /** The bytes of a preview, or the status of a refusal. */
  async preview(url: string, token = this.token): Promise<Buffer | number> {
    const response = await fetch(`${this.product.apis[0]!.address}${url}`, {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    });
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : response.status;
  }

  /** Requests an article, with `Prefer: respond-async`. */
  async start(prompt: string, call: Call & { api?: TestServer } = {}): Promise<Job> {
    const answer = await this.write(prompt, {
      ...call,
      headers: { Prefer: 'respond-async', ...call.headers },
    });
    if (answer.status !== 202) throw new Error(`The job was not accepted: ${JSON.stringify(answer.body)}`);
    return answer.body.job;
  }

  async job(id: string): Promise<Job> {
    return (await this.call(`/api/jobs/${id}`)).body.job;
  }

  /** The job once it is what the test waits for. */
  jobWhen(id: string, what: string, is: (job: Job) => boolean, seconds = 120): Promise<Job> {
    return until(
      `the job to be ${what}`,
      async () => {
        const job = await this.job(id);
        return job && is(job) ? job : null;
      },
      { seconds },
    );
  }

  ended(id: string, seconds?: number): Promise<Job> {
    return this.jobWhen(id, 'ended', ({ finishedAt }) => finishedAt !== null, seconds);
  }

  writing(id: string): Promise<Job> {
    return this.jobWhen(
      id,
      'writing',
      ({ status, partial }) => status === 'running' && (partial ?? '') !== '',
    );
  }

  async account(): Promise<Account> {
    return (await this.call('/api/user/account')).body as unknown as Account;
  }

  async creations(): Promise<(Creation & { jobId: string })[]> {
    return (await this.call('/api/user/get-user-creations')).body.creations as (Creation & {
      jobId: string;
    })[];
  }

  /**
   * Resolves once live events reach this listener again, which must reconnect: an api that lost its database or Redis
   * connects again within seconds, and then closes its sockets.
   */
  async receivesAgain(listener: Listener): Promise<void> {
    const ended: string[] = [];
    await until(
      'live events to arrive again',
      async () => {
        const { id } = await this.start('Published again');
        await this.ended(id);
        ended.push(id);
        return listener.jobs.some((job) => job.status === 'succeeded' && ended.includes(job.id));
      },
      { every: 500 },
    );
  }

  listen(api?: TestServer, options?: { reconnection: boolean }): Promise<Listener> {
    return listen((api ?? this.product.apis[0]!).address, this.token, options);
  }
}
