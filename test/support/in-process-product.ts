import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { AppModule } from '../../api/app.module.ts';
import { configureHttp } from '../../api/configure-http.ts';
import { startWork, WorkerModule } from '../../worker/worker.module.ts';
import { readConfig, type Config } from '#libs/config/environment.js';
import type { Account } from '#libs/contract/account.js';
import type { Creation, SavedSearch } from '#libs/contract/creations.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import type { FieldError } from '#libs/contract/errors.js';
import type { Job } from '#libs/contract/jobs.js';
import type { Share, SharedText } from '#libs/contract/sharing.js';
import { rows } from './sql.ts';
import { JobRunner } from '#libs/jobs/runner/job-runner.js';
import { ObjectStore } from '#libs/storage/object-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { MODELS_FOLDER } from './models.ts';
import { testDatabase } from './database.ts';
import { addProbeTools } from './probe-tools.ts';
import { filesIn } from './files-in.ts';
import { newSession } from './new-session.ts';
import { freePort } from './ports.ts';

/** Has the source of the start page. */
const WEB_SOURCE = fileURLToPath(new URL('../../web', import.meta.url));

/** Api and worker of one product, in this process, with the probes of `probe-tools.ts` and the real tools. */
export interface InProcessProduct {
  /** Its address. */
  origin: string;
  config: Config;
  dataSource: DataSource;
  files: StoredFiles;
  runner: JobRunner;
  store: ObjectStore;
  /** Everything under the folder of the file store, and everything in the spool. */
  stored(): string[];
  spooled(): string[];
  /** Runs a statement. Each row has the selected columns. */
  sql(text: string, parameters?: unknown[]): Promise<Found[]>;
  signUp(name?: string, plan?: 'free' | 'premium'): Promise<SignedInUser>;
  stop(): Promise<void>;
}

/** The columns that tests select. */
export interface Found {
  id: string;
  key: string;
  name: string;
  content: string;
  count: number;
}

/** A signed-in user. */
export interface SignedInUser {
  id: string;
  email: string;
  token: string;
  call(path: string, options?: RequestInit & { json?: unknown }): Promise<Response>;
}

/** The fields of all answers together. */
export interface Answer extends Account {
  success: boolean;
  code?: string;
  message: string;
  details?: FieldError[] | Record<string, unknown>;
  token: string;
  content: string;
  jobId: string;
  job: Job & { result: { content: string } };
  /** The jobs of a request that started several. */
  jobs: [Job, ...Job[]];
  creationId: string;
  creation: Creation;
  sources: Creation[];
  total: number;
  creations: Creation[];
  tags: string[];
  changed: string[];
  deleted: string[];
  restored: string[];
  url: string;
  count: number;
  search: SavedSearch;
  searches: SavedSearch[];
  version: CreationVersion;
  share: Share | null;
  text: SharedText;
  versions: CreationVersion[];
  nextCursor: string | null;
  restorableUntil: string;
}

export const json = async (answer: Response): Promise<Answer> => (await answer.json()) as Answer;

/** A form with a file and fields. */
export function form(
  fields: Record<string, string | { bytes: Uint8Array; name: string; type?: string }>,
): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([new Uint8Array(value.bytes)], { type: value.type ?? '' }), value.name);
  }
  return body;
}

/** Starts it with its own database, data folder and port. @param variables additional ones */
export async function startInProcessProduct(
  variables: Record<string, string> = {},
): Promise<InProcessProduct> {
  addProbeTools();
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'pressroom-files-'));
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    MODELS_DIR: MODELS_FOLDER,
    PORT: String(await freePort()),
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_SIGN_UP: '1000',
    ...variables,
  });
  const app = await NestFactory.create<NestExpressApplication>(AppModule.for(config), {
    bodyParser: false,
    logger: false,
  });
  configureHttp(app, config, WEB_SOURCE);
  await app.listen(config.port, config.host);
  const worker = await NestFactory.createApplicationContext(WorkerModule.for(config), { logger: false });
  startWork(worker);
  const origin = config.publicUrl;
  const dataSource = app.get(DataSource);
  return {
    origin,
    config,
    dataSource,
    files: app.get(StoredFiles),
    runner: worker.get(JobRunner),
    store: app.get(ObjectStore),
    stored: () => filesIn(join(dataDir, 'objects')).map((path) => basename(path)),
    spooled: () => filesIn(join(dataDir, 'uploads')),
    sql: (text, parameters) => rows<Found>(dataSource, text, parameters),
    signUp: (name = 'Ada', plan = 'free') => signUp(origin, dataSource, name, plan),
    async stop() {
      await worker.close();
      await app.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the product before the tests of a file or a group, and stops it after them. */
export function useInProcessProduct(variables: Record<string, string> = {}): InProcessProduct {
  let product: InProcessProduct | undefined;
  beforeAll(async () => {
    product = await startInProcessProduct(variables);
  });
  afterAll(() => product?.stop());
  return new Proxy({} as InProcessProduct, {
    get: (_, name) => {
      if (!product) throw new Error('The product is used before it has started.');
      return Reflect.get(product, name) as unknown;
    },
  });
}

let users = 0;

/** The password of every user here. */
export const PASSWORD = 'a long password';

/** A new user of a running product, signed in. @param dataSource its database */
export async function signUp(
  origin: string,
  dataSource: DataSource,
  name: string,
  plan: string,
): Promise<SignedInUser> {
  const email = `user${(users += 1)}@example.com`;
  const user = { name, email, password: PASSWORD };
  const session = await newSession((text, parameters) => rows(dataSource, text, parameters), user);
  const { token } = await json(
    await ok(fetch(`${origin}/api/auth/token`, { headers: { Authorization: `Bearer ${session.token}` } })),
  );
  const call: SignedInUser['call'] = (path, { json: fields, ...options } = {}) => {
    const all = new Headers(options.headers);
    all.set('Authorization', `Bearer ${token}`);
    if (fields !== undefined) all.set('Content-Type', 'application/json');
    const content = fields === undefined ? options.body : JSON.stringify(fields);
    return fetch(`${origin}${path}`, {
      method: content ? 'POST' : 'GET',
      ...options,
      headers: all,
      body: content,
    });
  };
  const { profile } = await json(await ok(call('/api/user/account')));
  if (plan === 'premium')
    await rows(dataSource, `UPDATE users SET plan = 'premium' WHERE id = $1`, [profile.id]);
  return { id: profile.id, email, token, call };
}

async function ok(call: Promise<Response>): Promise<Response> {
  const answer = await call;
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
