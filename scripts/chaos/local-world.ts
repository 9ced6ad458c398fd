import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { Client as S3Client } from 'minio';
import { findProgram } from '../../test/support/machine-programs.ts';
import { startFakeProvider } from '../../test/provider/server.ts';
import { findTraces } from '../../test/support/find-traces.ts';
import { startOwnPostgres, type OwnPostgres } from '../../test/support/own-postgres.ts';
import { startPgBouncer, type TestPgBouncer } from '../../test/support/pgbouncer.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { startS3, type TestS3 } from '../../test/support/s3.ts';
import { until } from '../../test/support/until.ts';
import { migrate } from '../stack/database.ts';
import { freePort } from '../stack/ports.ts';
import { withClient } from '../stack/query.ts';
import { inRoot } from '../stack/root.ts';
import { faultNames, type Fault, type FaultName } from './plan.ts';
import { Program } from './program.ts';
import { at } from '../stack/random.ts';
import settings from './settings.json' with { type: 'json' };
import { TcpProxy } from './tcp-proxy.ts';
import { ageRows, during, END_CONNECTIONS, inTurn, type World } from './world.ts';

/** The default number of apis, and of workers. */
const PROGRAMS = 2;
/** The file size limit, in bytes, that simulates a full disk. */
const FULL_DISK_BYTES = 16;
/** Longer than several attempts of a program to connect. */
const STARTED_BEFORE_MS = 6_000;
/** As in docker-compose.yml. */
const STORED_REDIS = { appendonly: 'yes', appendfsync: 'everysec', 'auto-aof-rewrite-min-size': '4mb' };
const ONLY_REDIS: FaultName[] = [
  'restartRedis',
  'flushRedis',
  'freezeRedis',
  'stopStore',
  'restartPgBouncer',
];
/** Connections of PgBouncer to PostgreSQL. */
const POOLED_CONNECTIONS = 60;
const NEEDS_POOLER: FaultName[] = ['restartPgBouncer'];
const ONLY_POSTGRES: FaultName[] = ['loseQueueEntries'];
const EMPTY_QUEUE = 'TRUNCATE bullmq.job CASCADE';

/** Folders for the data of the services, in place of temporary ones. Objects are then files on both backends. */
interface Folders {
  database: string;
  redis: string;
  files: string;
}

interface Options {
  folders?: Folders;
  /** Settings of PostgreSQL. */
  postgresSettings?: Record<string, string>;
  /** The number of apis, and of workers. */
  programs?: number;
  /** Environment variables of all programs. */
  variables?: NodeJS.ProcessEnv;
}

export interface LocalWorld extends World {
  kind: 'postgres' | 'redis';
  /** Kills the programs, PostgreSQL and Redis. */
  killAll(): Promise<void>;
  /** Starts everything that was killed, and waits until the apis are ready. */
  startAll(): Promise<void>;
  /** Empties Redis, or deletes the entries of the queue on PostgreSQL. */
  emptyQueue(): Promise<void>;
}

interface Services {
  postgres: OwnPostgres;
  /** In front of PostgreSQL on the backend `redis`, where the machine has it. */
  pooler: TestPgBouncer | undefined;
  redis: TestRedis | undefined;
  s3: TestS3 | undefined;
  dataFolder: string;
  programs: { apis: Program[]; workers: Program[] };
  proxies: TcpProxy[];
  redisProxies: TcpProxy[];
  providerProxies: TcpProxy[];
}

/**
 * The product on this machine: apis and workers, each with its own connection to each service. On the backend
 * `redis` objects are in an S3 server, on `postgres` in files.
 */
export async function startLocalWorld(
  kind: 'postgres' | 'redis',
  options: Options = {},
): Promise<LocalWorld> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await open(kind, options, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function open(
  kind: 'postgres' | 'redis',
  { folders, postgresSettings, programs = PROGRAMS, variables }: Options,
  cleanup: AsyncDisposableStack,
): Promise<LocalWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-chaos-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startOwnPostgres({ max_connections: '200', ...postgresSettings }, folders?.database);
  cleanup.defer(postgres.stop);
  const provider = await startFakeProvider({ defaults: { words: 60, vary: true } });
  cleanup.defer(() => provider.close());
  const redis =
    kind === 'redis' ? await startRedis(folders && { ...STORED_REDIS, dir: folders.redis }) : undefined;
  const s3 = kind === 'redis' && !folders ? await startS3() : undefined;
  const pooler =
    kind === 'redis' && !folders && findProgram('pgbouncer') ? await startPooler(postgres.url) : undefined;
  if (pooler) cleanup.defer(pooler.stop);
  if (redis) cleanup.defer(redis.stop);
  if (s3) cleanup.defer(s3.stop);

  const services: Services = {
    postgres,
    pooler,
    redis,
    s3,
    dataFolder: join(folders?.files ?? folder, 'data'),
    programs: { apis: [], workers: [] },
    proxies: [],
    redisProxies: [],
    providerProxies: [],
  };
  const ports = await Promise.all(Array.from({ length: programs }, () => freePort()));
  const publicUrl = `http://localhost:${ports[0]}`;
  const secret = randomBytes(24).toString('hex');

  /** The address of a new proxy to a service. */
  const proxied = async (url: string, ...lists: TcpProxy[][]) => {
    const target = new URL(url);
    const proxy = await TcpProxy.to(Number(target.port));
    cleanup.defer(() => proxy.close());
    for (const list of lists) list.push(proxy);
    target.port = String(proxy.port);
    return target.href.replace(/\/$/, '');
  };
  const { proxies, redisProxies, providerProxies } = services;
  const makeProgram = async (name: string, script: string, port?: number) => {
    const clockFile = join(folder, `${name}.clock`);
    const environment: NodeJS.ProcessEnv = {
      // Short leases and waits, so that failures end within a round, unreachable limits, and no models to fetch.
      ...settings,
      ...variables,
      MIN_FREE_DISK_MB: '1',
      PUBLIC_URL: publicUrl,
      AUTH_SECRET: secret,
      DATA_DIR: services.dataFolder,
      DATABASE_URL: await proxied(pooler?.url ?? postgres.url, proxies),
      ...(pooler && { DATABASE_POOLING: 'transaction' }),
      ...(redis && { REDIS_URL: await proxied(redis.url, proxies, redisProxies) }),
      ...(s3 && { ...s3.variables, S3_ENDPOINT: await proxied(s3.config.endpoint, proxies) }),
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: await proxied(provider.url, proxies, providerProxies),
      ...(port !== undefined && { PORT: String(port) }),
      CHAOS_CLOCK_FILE: clockFile,
      NODE_OPTIONS: `--import=${pathToFileURL(inRoot('scripts/chaos/shift-clock.mjs')).href}`,
    };
    const program = new Program(name, script, environment, clockFile);
    cleanup.defer(() => program.kill());
    return program;
  };
  for (const [i, port] of ports.entries())
    services.programs.apis.push(await makeProgram(`api ${i + 1}`, 'dist/api/main.js', port));
  for (let i = 0; i < programs; i += 1)
    services.programs.workers.push(await makeProgram(`worker ${i + 1}`, 'dist/worker/main.js'));
  for (const program of [...services.programs.workers, ...services.programs.apis]) program.start();
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  await Promise.all(origins.map(untilReady));
  return toWorld(kind, services, { origins, publicUrl }, cleanup);
}

async function startPooler(url: string): Promise<TestPgBouncer> {
  // Gives the role its time limits, which connections cannot have here.
  await migrate(url, { PATH: process.env.PATH, DATABASE_POOLING: 'transaction', DATABASE_DIRECT_URL: url });
  return startPgBouncer(url, { mode: 'transaction', poolSize: POOLED_CONNECTIONS });
}

const untilReady = (origin: string) =>
  until(
    `${origin} to be ready`,
    () =>
      fetch(`${origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { seconds: 120, every: 100 },
  );

function toWorld(
  kind: 'postgres' | 'redis',
  services: Services,
  { origins, publicUrl }: { origins: string[]; publicUrl: string },
  cleanup: AsyncDisposableStack,
): LocalWorld {
  const { postgres, pooler, redis, s3, dataFolder, programs } = services;
  const impossible = kind === 'redis' ? [...ONLY_POSTGRES, ...(pooler ? [] : NEEDS_POOLER)] : ONLY_REDIS;
  const all = [...programs.apis, ...programs.workers];
  const query = <Row extends object>(sql: string) => queryWithRetry<Row>(postgres.url, sql);
  const untilAllReady = async () => void (await Promise.all(origins.map(untilReady)));
  return {
    name: kind,
    kind,
    origins,
    publicUrl,
    faults: faultNames.filter((name) => !impossible.includes(name)),
    inject: (fault) => inject(services, fault),
    query,
    storedObjects: () => (s3 ? objectsOfS3(s3) : Promise.resolve(filesIn(join(dataFolder, 'objects')))),
    queueEntries: () => (redis ? entriesInRedis(redis.url) : entriesInPostgres(query)),
    traces: (texts) =>
      findTraces(
        {
          databaseUrl: postgres.url,
          redisUrl: redis?.url,
          folders: [dataFolder, ...(s3 ? [s3.directory] : [])],
          output: () => all.map((program) => program.output()).join('\n'),
        },
        texts,
      ),
    problems: () => all.flatMap((program) => [...program.problems, ...program.errors()]),
    logs: () => Object.fromEntries(all.map((program) => [program.name, program.output()])),
    passTwoDays: async () => {
      await ageRows(query);
      // A worker applies retention when it starts.
      await Promise.all(programs.workers.map((worker) => worker.stop()));
      for (const worker of programs.workers) worker.start();
      await untilAllReady();
    },
    killAll: async () => {
      const killed = all.map((program) => program.kill());
      postgres.kill();
      await Promise.all([...killed, redis?.kill()]);
    },
    startAll: async () => {
      await Promise.all([postgres.start(), redis?.restart()]);
      for (const program of all) program.start();
      await untilAllReady();
    },
    emptyQueue: async () => {
      await (redis ? redis.flush() : query(EMPTY_QUEUE));
    },
    close: () => cleanup.disposeAsync(),
  };
}

async function queryWithRetry<Row extends object>(url: string, sql: string): Promise<Row[]> {
  return until(
    'the database to answer',
    async () => {
      try {
        return (await withClient(url, 3_000, (client) => client.query<Row>(sql))).rows;
      } catch (error) {
        // A wrong statement is not repeated; class 57 is an operator's intervention.
        const code = (error as { code?: string }).code ?? '';
        if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57')) throw error;
        return null;
      }
    },
    { seconds: 90, every: 200 },
  );
}

/** Injects a fault, waits for its duration, and restores. */
async function inject(services: Services, { name, lasting, share, amount }: Fault): Promise<void> {
  const { postgres, pooler, redis, s3, programs, proxies, redisProxies, providerProxies } = services;
  const api = at(programs.apis, share)!;
  const worker = at(programs.workers, share)!;
  const anyProgram = at([...programs.apis, ...programs.workers], share)!;
  const proxy = at(proxies, share)!;
  const kill = (program: Program) =>
    during(
      program,
      lasting,
      () => program.kill(),
      () => program.start(),
    );
  const stop = (program: Program) =>
    during(
      program,
      0,
      () => program.stop(),
      () => program.start(),
    );
  const freeze = (program: Program) =>
    during(
      program,
      lasting,
      () => program.signal('SIGSTOP'),
      () => program.signal('SIGCONT'),
    );
  const disturb = async (list: TcpProxy[], how: 'refuse' | 'stall') => {
    for (const one of list) one[how]();
    await pause(lasting);
    for (const one of list) one.restore();
  };
  const faults: Record<FaultName, () => Promise<unknown> | void> = {
    killApi: () => kill(api),
    stopApi: () => stop(api),
    freezeApi: () => freeze(api),
    killWorker: () => kill(worker),
    stopWorker: () => stop(worker),
    freezeWorker: () => freeze(worker),
    killWorkers: () => Promise.all(programs.workers.map(kill)),
    endDatabaseConnections: () => queryWithRetry(postgres.url, END_CONNECTIONS),
    crashDatabase: () => during(postgres, lasting, postgres.crash, postgres.start),
    startBeforeDatabase: () =>
      inTurn(anyProgram, async () => {
        const crash = async () => {
          await anyProgram.kill();
          postgres.crash();
          anyProgram.start();
        };
        await during(postgres, STARTED_BEFORE_MS + lasting, crash, postgres.start);
      }),
    freezeDatabase: () => during(postgres, lasting, postgres.freeze, postgres.thaw),
    restartRedis: () => redis && during(redis, lasting, redis.leave, redis.restart),
    flushRedis: () => redis && inTurn(redis, redis.flush),
    freezeRedis: () => disturb(redisProxies, 'stall'),
    loseQueueEntries: () => queryWithRetry(postgres.url, EMPTY_QUEUE),
    restartPgBouncer: () => pooler && inTurn(pooler, pooler.restart),
    stopStore: () => s3 && during(s3, lasting, s3.leave, s3.comeBack),
    resetConnections: () => proxy.reset(),
    refuseConnections: () => disturb([proxy], 'refuse'),
    stallConnections: () => disturb([proxy], 'stall'),
    stopProvider: () => disturb(providerProxies, 'refuse'),
    clockJump: () =>
      during(
        anyProgram,
        lasting,
        () => anyProgram.setClock(amount * 1_000),
        () => anyProgram.setClock(0),
      ),
    diskFull: () =>
      during(
        anyProgram,
        lasting,
        () => anyProgram.limitFiles(FULL_DISK_BYTES),
        () => anyProgram.limitFiles('unlimited'),
      ),
  };
  await faults[name]();
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

async function objectsOfS3({ config }: TestS3): Promise<string[]> {
  const { hostname, port } = new URL(config.endpoint);
  const client = new S3Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: config.accessKey,
    secretKey: config.secretKey,
    region: config.region,
  });
  const names: string[] = [];
  for await (const item of client.listObjectsV2(config.bucket, '', true))
    names.push((item as { name: string }).name);
  return names;
}

const entriesInPostgres = async (query: World['query']) =>
  (await query<{ id: string }>('SELECT id::text FROM bullmq.job')).map(({ id }) => id);

/** Keys of queue entries: BullMQ's keys that end with a job id. */
async function entriesInRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('{pressroom-*}:*');
    return keys.filter((key) => /:[0-9a-f]{8}-[0-9a-f-]{27}(:\w+)?$/.test(key));
  } finally {
    redis.disconnect();
  }
}
