import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { queueNames } from '#libs/contract/jobs.js';
import type { ModelId } from '#libs/contract/model-names.js';
import { readClerk, type ClerkConfig } from './clerk.js';
import { ConfigurationError } from './configuration-error.js';
import { isLoopback } from './own-origins.js';
import { readEngines } from './engines.js';
import { databaseUrl, variables, type Variables } from './variables.js';

export { ConfigurationError, isLoopback };

export type QueueConfig = { kind: 'postgres' } | { kind: 'redis'; url: string } | RedisClusterConfig;

/** @property tls whether nodes use TLS; their certificates must have the names that the nodes use for each other */
interface RedisClusterConfig {
  kind: 'redis-cluster';
  nodes: { host: string; port: number }[];
  username?: string;
  password?: string;
  tls: boolean;
}

export type StorageConfig =
  | { kind: 'files'; directory: string }
  | { kind: 's3'; endpoint: string; bucket: string; accessKey: string; secretKey: string; region: string };

export interface OpenAiConfig {
  apiKey: string;
  baseUrl?: string;
  textModel: string;
  imageModel: string;
  /** Maximum wait for the first piece of a stream. */
  firstTokenSeconds: number;
  /** Maximum wait between two pieces. */
  idleSeconds: number;
  imageSeconds: number;
  /** Partial images to request of each image. */
  partialImages: number;
}

export interface AiConfig {
  main: OpenAiConfig;
  /** Called when the main provider fails. */
  fallback: OpenAiConfig | null;
  /** After `failures` in a row, calls of one kind to a provider are suspended for `seconds`. */
  breaker: { failures: number; seconds: number };
}

/**
 * @property mail null: no mail is sent, so addresses are not confirmed and passwords cannot be reset
 * @property twoFactorFor the users who must use a second factor
 */
export type AccountsConfig =
  | { kind: 'local'; secret: string; mail: MailConfig | null; twoFactorFor: 'nobody' | 'operators' }
  | ClerkConfig;

export interface MetricsConfig {
  host: string;
  port: number;
}

export interface ModelsConfig {
  directory: string;
  off: ModelId[];
  /** Memory for the processes of all models of a worker. */
  memoryMb: number;
}

const MB = 1024 * 1024;

/** @throws ConfigurationError naming each wrong or missing variable and what it must hold */
export function readConfig(environment: Environment = process.env) {
  const v = check(variables, setVariables(environment));
  const dataDir = isAbsolute(v.DATA_DIR) ? v.DATA_DIR : resolve(v.DATA_DIR);
  if (!v.DATABASE_URL) throw new ConfigurationError(DATABASE_URL_MISSING);
  const publicUrl = readPublicUrl(v);
  const accounts = readAccounts(v, publicUrl);
  const ai = readAi(v);
  return {
    port: v.PORT,
    host: v.HOST,
    /** The origin for users, of which links and token issuers are made. */
    publicUrl,
    trustedProxies: v.TRUSTED_PROXIES,
    dataDir,
    /** Free disk space below which files are refused. */
    minFreeDiskBytes: v.MIN_FREE_DISK_MB * MB,
    logLevel: v.LOG_LEVEL as string,
    metrics: readMetrics(v),
    /** The receiver of traces, by OTLP over HTTP; null to send none. */
    otlpEndpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    databaseUrl: v.DATABASE_URL,
    queue: readQueue(v),
    storage: readStorage(v, dataDir),
    ai,
    models: readModels(v, dataDir),
    engines: readEngines(environment, ai !== null),
    accounts,
    storageQuota: readStorageQuota(v),
    planSwitch: accounts.kind === 'local' && v.PLAN_SWITCH === 'self',
    demoVideoUrl: v.DEMO_VIDEO_URL ?? null,
    syncWaitSeconds: v.SYNC_WAIT_SECONDS,
    shutdownSeconds: v.SHUTDOWN_SECONDS,
    jobs: readJobs(v),
    /** The queues of a worker, its concurrent jobs of each queue, and its memory for images. */
    worker: {
      queues: v.WORKER_QUEUES,
      concurrency: v.WORKER_CONCURRENCY,
      imageMemoryMb: v.WORKER_IMAGE_MEMORY_MB,
    },
    /** Calls a minute: `signIn` and `signUp` by address, the others by user. */
    rateLimits: {
      requests: v.RATE_LIMIT_REQUESTS,
      submissions: v.RATE_LIMIT_SUBMISSIONS,
      previews: v.RATE_LIMIT_PREVIEWS,
      versions: v.RATE_LIMIT_VERSIONS,
      signIn: v.RATE_LIMIT_SIGN_IN,
      signUp: v.RATE_LIMIT_SIGN_UP,
    },
    /** Limits of one process. `spoolBytes` is for the files of all uploads together. */
    open: {
      uploadsPerUser: v.UPLOADS_PER_USER,
      spoolBytes: v.UPLOAD_SPOOL_MB * MB,
      socketsPerUser: v.SOCKETS_PER_USER,
      connectionsPerAddress: v.CONNECTIONS_PER_ADDRESS,
    },
  };
}

/** The configuration of a process. Durations are in seconds, sizes in bytes. */
export type Config = ReturnType<typeof readConfig>;
export const CONFIG = Symbol('CONFIG');

/** The configuration for operator commands, without secrets and public address. */
export function readOperatorConfig(
  environment: Environment = process.env,
): Pick<Config, 'databaseUrl' | 'queue' | 'jobs' | 'storageQuota'> & { accounts: AccountsConfig['kind'] } {
  const v = check(variables, setVariables(environment));
  if (!v.DATABASE_URL) throw new ConfigurationError(DATABASE_URL_MISSING);
  const accounts = v.CLERK_PUBLISHABLE_KEY && v.CLERK_SECRET_KEY ? 'clerk' : 'local';
  return {
    databaseUrl: v.DATABASE_URL,
    queue: readQueue(v),
    jobs: readJobs(v),
    storageQuota: readStorageQuota(v),
    accounts,
  };
}

export function readDatabaseUrl(environment: Environment = process.env): string {
  const { DATABASE_URL } = setVariables(environment);
  if (!DATABASE_URL) throw new ConfigurationError(DATABASE_URL_MISSING);
  return check(z.object({ DATABASE_URL: databaseUrl }), { DATABASE_URL }).DATABASE_URL;
}

export function readStorageConfig(environment: Environment = process.env): StorageConfig {
  const v = check(variables, setVariables(environment));
  return readStorage(v, resolve(v.DATA_DIR));
}

export function readModelsConfig(environment: Environment = process.env): ModelsConfig {
  const v = check(variables, setVariables(environment));
  return readModels(v, resolve(v.DATA_DIR));
}

type Environment = Record<string, string | undefined>;

const DATABASE_URL_MISSING =
  'DATABASE_URL must hold the address of a PostgreSQL database. `npm start` starts an embedded one and sets it.';

/** An empty variable counts as unset, as in shell scripts. */
function setVariables(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value),
  );
}

/** Messages never hold a value, which may be a secret. */
function check<Schema extends z.ZodType>(schema: Schema, values: Environment): z.infer<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'),
  );
}

function readPublicUrl(v: Variables): string {
  if (v.PUBLIC_URL) return v.PUBLIC_URL;
  if (v.PORT === 0)
    throw new ConfigurationError('PUBLIC_URL must hold the address for users when PORT is 0.');
  const everyAddress = v.HOST === '0.0.0.0' || v.HOST === '::';
  const host =
    isLoopback(v.HOST) || everyAddress ? 'localhost' : v.HOST.includes(':') ? `[${v.HOST}]` : v.HOST;
  return new URL(`http://${host}:${v.PORT}`).origin;
}

function readMetrics({ METRICS_HOST: host, METRICS_PORT: port, PORT }: Variables): MetricsConfig | null {
  if (port === undefined) return null;
  if (port === PORT)
    throw new ConfigurationError(
      'METRICS_PORT must be another port than PORT: metrics are not for the public.',
    );
  return { host, port };
}

const readJobs = (v: Variables) => ({
  attempts: v.JOB_ATTEMPTS,
  leaseSeconds: v.JOB_LEASE_SECONDS,
  /** Maximum wait of a job for an unavailable AI service or object store. */
  outageSeconds: v.JOB_OUTAGE_SECONDS,
  unfinishedPerUser: v.UNFINISHED_JOBS,
  /** Waiting jobs of a queue above which new jobs of a plan are refused. */
  waitingAtMost: readQueueLimits(v),
  /** Maximum wait of a standard job while premium jobs keep arriving. */
  standardWaitSeconds: v.STANDARD_WAIT_SECONDS,
  /** Days after which an ended job is deleted, but not its creation. */
  retentionDays: v.JOB_RETENTION_DAYS,
});

const readStorageQuota = (v: Variables) => ({
  free: v.STORAGE_QUOTA_FREE_MB * MB,
  premium: v.STORAGE_QUOTA_PREMIUM_MB * MB,
});

function readQueueLimits({ QUEUE_LIMIT_STANDARD: standard, QUEUE_LIMIT_PREMIUM: premium }: Variables) {
  const low = queueNames.find((name) => premium[name] < standard[name]);
  if (low) {
    throw new ConfigurationError(
      `QUEUE_LIMIT_PREMIUM must be at least QUEUE_LIMIT_STANDARD in each queue; for ${low} jobs it is less.`,
    );
  }
  return { standard, premium };
}

function readQueue(v: Variables): QueueConfig {
  if (v.REDIS_URL && v.REDIS_CLUSTER_NODES) {
    throw new ConfigurationError('REDIS_URL and REDIS_CLUSTER_NODES are both set: set one of them.');
  }
  if (v.REDIS_CLUSTER_NODES) return readRedisCluster(v, v.REDIS_CLUSTER_NODES);
  if (v.REDIS_CLUSTER_USERNAME ?? v.REDIS_CLUSTER_PASSWORD ?? v.REDIS_CLUSTER_TLS) {
    throw new ConfigurationError(
      'REDIS_CLUSTER_NODES must be set when another REDIS_CLUSTER_ variable is. The password of a single Redis, and TLS, belong into REDIS_URL: rediss://user:password@host:port.',
    );
  }
  return v.REDIS_URL ? { kind: 'redis', url: v.REDIS_URL } : { kind: 'postgres' };
}

function readRedisCluster(v: Variables, list: string): RedisClusterConfig {
  const { REDIS_CLUSTER_USERNAME: username, REDIS_CLUSTER_PASSWORD: password } = v;
  if (username && !password) {
    throw new ConfigurationError('REDIS_CLUSTER_PASSWORD must be set with REDIS_CLUSTER_USERNAME.');
  }
  const nodes = list.split(',').map((node) => {
    const [host, port] = node.split(':') as [string, string];
    return { host, port: Number(port) };
  });
  return { kind: 'redis-cluster', nodes, username, password, tls: v.REDIS_CLUSTER_TLS === 'true' };
}

function readStorage(v: Variables, dataDir: string): StorageConfig {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = v;
  requireTogether({ S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY });
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY || !S3_SECRET_KEY) {
    return { kind: 'files', directory: resolve(dataDir, 'objects') };
  }
  return {
    kind: 's3',
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
    region: v.S3_REGION,
  };
}

const readModels = (v: Variables, dataDir: string): ModelsConfig => ({
  directory: resolve(v.MODELS_DIR ?? resolve(dataDir, 'models')),
  off: v.MODELS_OFF,
  memoryMb: v.WORKER_MODEL_MEMORY_MB,
});

function readAi(v: Variables): AiConfig | null {
  const main = readOpenAi(v);
  const fallback = readFallback(v, main);
  return (
    main && { main, fallback, breaker: { failures: v.AI_BREAKER_FAILURES, seconds: v.AI_BREAKER_SECONDS } }
  );
}

function readOpenAi(v: Variables): OpenAiConfig | null {
  if (!v.OPENAI_API_KEY) {
    if (v.OPENAI_BASE_URL) {
      throw new ConfigurationError(
        'OPENAI_API_KEY must hold a key when OPENAI_BASE_URL is set; any text will do for a server without keys.',
      );
    }
    return null;
  }
  return {
    apiKey: v.OPENAI_API_KEY,
    baseUrl: v.OPENAI_BASE_URL,
    textModel: v.AI_TEXT_MODEL,
    imageModel: v.AI_IMAGE_MODEL,
    firstTokenSeconds: v.AI_FIRST_TOKEN_SECONDS,
    idleSeconds: v.AI_IDLE_SECONDS,
    imageSeconds: v.AI_IMAGE_SECONDS,
    partialImages: v.AI_PARTIAL_IMAGES,
  };
}

function readFallback(v: Variables, main: OpenAiConfig | null): OpenAiConfig | null {
  const { AI_FALLBACK_BASE_URL: baseUrl, AI_FALLBACK_TEXT_MODEL, AI_FALLBACK_IMAGE_MODEL } = v;
  if (!v.AI_FALLBACK_API_KEY) {
    if (baseUrl ?? AI_FALLBACK_TEXT_MODEL ?? AI_FALLBACK_IMAGE_MODEL) {
      throw new ConfigurationError(
        'AI_FALLBACK_API_KEY must hold a key when another AI_FALLBACK_ variable is set; any text will do for a server without keys.',
      );
    }
    return null;
  }
  if (!main) {
    throw new ConfigurationError(
      'OPENAI_API_KEY must hold a key when AI_FALLBACK_API_KEY is set: the fallback is called only after the main service.',
    );
  }
  return {
    ...main,
    apiKey: v.AI_FALLBACK_API_KEY,
    baseUrl,
    textModel: AI_FALLBACK_TEXT_MODEL ?? main.textModel,
    imageModel: AI_FALLBACK_IMAGE_MODEL ?? main.imageModel,
  };
}

function readAccounts(v: Variables, publicUrl: string): AccountsConfig {
  const { CLERK_PUBLISHABLE_KEY, CLERK_SECRET_KEY } = v;
  requireTogether({ CLERK_PUBLISHABLE_KEY, CLERK_SECRET_KEY });
  const clerk = readClerk(v, publicUrl);
  const mail = readMail(v);
  if (clerk) {
    if (v.REQUIRE_TWO_FACTOR !== 'operators') return clerk;
    throw new ConfigurationError(
      'REQUIRE_TWO_FACTOR must be nobody with Clerk: require two factors in the settings of the instance at Clerk.',
    );
  }
  if (!isLoopback(v.HOST) && v.LOCAL_ACCOUNTS !== 'true') {
    throw new ConfigurationError(
      `LOCAL_ACCOUNTS must be "true" to offer email and password accounts on ${v.HOST}, which other machines can reach.`,
    );
  }
  if (!v.AUTH_SECRET) {
    throw new ConfigurationError(
      'AUTH_SECRET must hold at least 32 random characters. `npm start` makes one and keeps it in DATA_DIR.',
    );
  }
  return { kind: 'local', secret: v.AUTH_SECRET, mail, twoFactorFor: v.REQUIRE_TWO_FACTOR ?? 'nobody' };
}

function requireTogether(group: Record<string, string | undefined>) {
  const names = Object.keys(group);
  const missing = names.filter((name) => !group[name]);
  if (missing.length > 0 && missing.length < names.length) {
    throw new ConfigurationError(`${missing.join(', ')} must be set too: ${names.join(', ')} go together.`);
  }
}

export interface MailConfig {
  /** `smtp://` or `smtps://`, optionally with user and password. */
  url: string;
  /** The sender, `Name <address>` or the address alone. */
  from: string;
}

/** @throws ConfigurationError when one of the two is missing */
function readMail({ SMTP_URL: url, SMTP_FROM: from }: Variables): MailConfig | null {
  if (url && from) return { url, from };
  if (url)
    throw new ConfigurationError(
      'SMTP_FROM must be set with SMTP_URL: the sender of mails, such as Pressroom <no-reply@example.com>.',
    );
  if (from) throw new ConfigurationError('SMTP_URL must be set with SMTP_FROM: the server that sends mails.');
  return null;
}
