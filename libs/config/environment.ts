import { isAbsolute, resolve } from 'node:path';
import { type z } from 'zod';
import { queueNames } from '#libs/contract/jobs.js';
import { cutOutModelIds, type CutOutModelId, type ModelId } from '#libs/contract/model-names.js';
import { readClerk, type ClerkConfig } from './clerk.js';
import { ConfigurationError } from './configuration-error.js';
import { isLoopback } from './own-origins.js';
import { readBudgets } from './budgets.js';
import { readEngines } from './engines.js';
import { readPrices } from './prices.js';
import { readProviderPrices } from './provider-prices.js';
import { readStripe } from './stripe.js';
import { passwordProblem, variables, type Variables } from './variables.js';

export { ConfigurationError, isLoopback };

export type QueueConfig = { kind: 'postgres' } | { kind: 'redis'; url: string } | RedisClusterConfig;

interface RedisClusterConfig {
  kind: 'redis-cluster';
  nodes: { host: string; port: number }[];
  username?: string;
  password?: string;
  /** True if nodes use TLS. Their certificates must contain the host names that the cluster announces for its nodes. */
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
  /** True if the operator named no image model. */
  isDefaultImageModel: boolean;
  /** Other hosts from which returned pictures are fetched. */
  imageHosts: readonly string[];
  /** Timeout for the first chunk of a stream. */
  firstTokenSeconds: number;
  /** Timeout between two chunks of a stream. */
  idleSeconds: number;
  imageSeconds: number;
  partialImages: number;
}

export interface AiConfig {
  main: OpenAiConfig;
  /** The provider to use if the main one fails; null for none. */
  fallback: OpenAiConfig | null;
  /** The model that checks what is published; null to publish without a check. */
  moderationModel: string | null;
  /** Circuit breaker: after `failures` consecutive failed calls, calls are rejected for `seconds`. */
  breaker: { failures: number; seconds: number };
}

/** @property twoFactorFor which users must use a second factor */
export type AccountsConfig =
  | {
      kind: 'local';
      secret: string;
      /** The secret before a rotation, which is still accepted. */
      previousSecret: string | null;
      twoFactorFor: 'nobody' | 'operators';
      /** True if apps may register themselves as OAuth clients. */
      isClientRegistrationOpen: boolean;
    }
  | ClerkConfig;

export interface MetricsConfig {
  host: string;
  port: number;
}

export interface ModelsConfig {
  directory: string;
  off: ModelId[];
  /** The model that cuts out pictures: one of the catalogue, or the folder of the operator's; null for the best one there is. */
  cutOutModel: CutOutModelId | null;
  ownCutOutModel: string | null;
  /** Maximum memory of a worker's model processes together. */
  memoryMb: number;
}

const MB = 1024 * 1024;

/** Reads and validates the environment variables. @throws ConfigurationError that lists all invalid and missing variables */
export function readConfig(environment: Environment = process.env) {
  const v = check(variables, setVariables(environment));
  const dataDir = isAbsolute(v.DATA_DIR) ? v.DATA_DIR : resolve(v.DATA_DIR);
  if (!v.DATABASE_URL) throw new ConfigurationError(DATABASE_URL_MISSING);
  const publicUrl = readPublicUrl(v);
  const accounts = readAccounts(v, publicUrl);
  const ai = readAi(v);
  const providerPrices = readProviderPrices(v.PRICES_PROVIDER, ai);
  return {
    port: v.PORT,
    host: v.HOST,
    /** The origin that users open. Links in responses and mails begin with it, and it is the issuer of local tokens. */
    publicUrl,
    trustedProxies: v.TRUSTED_PROXIES,
    dataDir,
    /** Uploads are rejected if less disk space than this is free. */
    minFreeDiskBytes: v.MIN_FREE_DISK_MB * MB,
    logLevel: v.LOG_LEVEL as string,
    /** How much of clients' addresses the log has: the network, as for most uses, all, or nothing. */
    logAddresses: v.LOG_ADDRESSES,
    metrics: readMetrics(v),
    /** URL to which traces are sent, by OTLP over HTTP; null to send none. */
    otlpEndpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    /** Address of a trace with `{traceId}` in it, for operators; null for no link. */
    traceUrl: v.TRACE_URL ?? null,
    databaseUrl: v.DATABASE_URL,
    /** Whether a connection keeps its server session, as without PgBouncer, or changes it with each transaction. */
    databasePooling: readPooling(v),
    queue: readQueue(v),
    storage: readStorage(v, dataDir),
    ai,
    /** What calls of the AI service cost. Null if that is not known. */
    providerPrices,
    /** What they may cost in a month. */
    budgets: readBudgets(v, providerPrices),
    models: readModels(v, dataDir),
    ...readEngines(environment, ai !== null),
    accounts,
    /** Null to send no mail. Then addresses of local accounts are not confirmed and their passwords cannot be reset. */
    mail: readMail(v),
    alerts: readAlerts(v),
    /** Requests to addresses that users give. */
    outbound: {
      /** A proxy for all of them; null for none. */
      proxyUrl: v.OUTBOUND_PROXY_URL ?? null,
      /** Inside networks to which webhooks may be sent. */
      webhookNetworks: v.WEBHOOK_ALLOWED_NETWORKS,
    },
    storageQuota: readStorageQuota(v),
    prices: readPrices(v.PRICES),
    planSwitch: accounts.kind === 'local' && v.PLAN_SWITCH === 'self',
    /** Null if local accounts cannot buy the premium plan. */
    stripe: readStripe(v, accounts.kind),
    /** The monthly price that the start page shows. */
    premiumPrice: v.PREMIUM_PRICE,
    demoVideoUrl: v.DEMO_VIDEO_URL ?? null,
    /** Whether users publish freely, after an operator's approval, or not at all. */
    publishing: v.PUBLISHING,
    /** Reports of different users that hide a published picture; 0 for none. */
    reportsToHide: v.REPORTS_TO_HIDE,
    /** Reports of accounts younger than this do not count for hiding a picture. */
    reportsMinAccountHours: v.REPORTS_MIN_ACCOUNT_HOURS,
    syncWaitSeconds: v.SYNC_WAIT_SECONDS,
    shutdownSeconds: v.SHUTDOWN_SECONDS,
    jobs: readJobs(v),
    worker: {
      /** Queues that this worker takes jobs from. */
      queues: v.WORKER_QUEUES,
      /** Maximum concurrent jobs, by queue. */
      concurrency: v.WORKER_CONCURRENCY,
      imageMemoryMb: v.WORKER_IMAGE_MEMORY_MB,
    },
    /** Requests per minute: `signIn` and `signUp` per IP address, the others per user. */
    rateLimits: {
      requests: v.RATE_LIMIT_REQUESTS,
      submissions: v.RATE_LIMIT_SUBMISSIONS,
      previews: v.RATE_LIMIT_PREVIEWS,
      versions: v.RATE_LIMIT_VERSIONS,
      signIn: v.RATE_LIMIT_SIGN_IN,
      signUp: v.RATE_LIMIT_SIGN_UP,
    },
    /** Limits of concurrent uploads and connections, in each process. */
    open: {
      uploadsPerUser: v.UPLOADS_PER_USER,
      /** Maximum disk space for the temporary files of all uploads. */
      spoolBytes: v.UPLOAD_SPOOL_MB * MB,
      socketsPerUser: v.SOCKETS_PER_USER,
      connectionsPerAddress: v.CONNECTIONS_PER_ADDRESS,
    },
  };
}

/** The configuration of a process. Durations are in seconds, sizes in bytes. */
export type Config = ReturnType<typeof readConfig>;
export const CONFIG = Symbol('CONFIG');

/** Reads only what operator commands need. Does not require the secrets that servers need. */
export function readOperatorConfig(environment: Environment = process.env): Pick<
  Config,
  | 'databaseUrl'
  | 'databasePooling'
  | 'queue'
  | 'jobs'
  | 'storageQuota'
  | 'prices'
  | 'providerPrices'
  | 'budgets'
  | 'engines'
  | 'chosenEngines'
  | 'publicUrl'
  | 'traceUrl'
> & {
  accounts: AccountsConfig['kind'];
  authSecrets: { current: string; previous: string | null } | null;
} {
  const v = check(variables, setVariables(environment));
  if (!v.DATABASE_URL) throw new ConfigurationError(DATABASE_URL_MISSING);
  const accounts = v.CLERK_PUBLISHABLE_KEY && v.CLERK_SECRET_KEY ? 'clerk' : 'local';
  const ai = readAi(v);
  const providerPrices = readProviderPrices(v.PRICES_PROVIDER, ai);
  return {
    providerPrices,
    budgets: readBudgets(v, providerPrices),
    ...readEngines(environment, ai !== null),
    databaseUrl: v.DATABASE_URL,
    databasePooling: readPooling(v),
    queue: readQueue(v),
    jobs: readJobs(v),
    storageQuota: readStorageQuota(v),
    prices: readPrices(v.PRICES),
    publicUrl: readPublicUrl(v),
    traceUrl: v.TRACE_URL ?? null,
    accounts,
    authSecrets: readAuthSecrets(v),
  };
}

/** Reads what migrations need: the address of PostgreSQL itself, and the variable that holds it. */
export function readMigrationConfig(environment: Environment = process.env): {
  url: string;
  variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL';
  pooling: DatabasePooling;
} {
  const ofDatabase = variables.pick({
    DATABASE_URL: true,
    DATABASE_DIRECT_URL: true,
    DATABASE_POOLING: true,
  });
  const v = check(ofDatabase, setVariables(environment));
  const { DATABASE_POOLING: pooling, DATABASE_DIRECT_URL: direct } = v;
  const url = direct ?? v.DATABASE_URL;
  if (!url) throw new ConfigurationError(DATABASE_URL_MISSING);
  if (pooling === 'transaction' && !direct)
    throw new ConfigurationError(
      'DATABASE_DIRECT_URL must hold the address of PostgreSQL itself when DATABASE_POOLING is transaction: migrations need a session of their own.',
    );
  return { url, variable: direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', pooling };
}

export type DatabasePooling = Variables['DATABASE_POOLING'];

/** @throws ConfigurationError if the queue needs sessions */
function readPooling(v: Variables): DatabasePooling {
  if (v.DATABASE_POOLING === 'transaction' && readQueue(v).kind === 'postgres')
    throw new ConfigurationError(
      'REDIS_URL must be set when DATABASE_POOLING is transaction: a queue in the database listens for events, which needs sessions.',
    );
  return v.DATABASE_POOLING;
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

/** Trims the values and drops empty variables, which count as unset. */
function setVariables(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value),
  );
}

/** Messages must not contain values, which may be secrets. */
function check<Schema extends z.ZodType>(schema: Schema, values: Environment): z.infer<Schema> {
  const quoted = Object.keys(values).filter((name) => isQuoted(name, values[name]!));
  const parsed = schema.safeParse(values);
  if (parsed.success && quoted.length === 0) return parsed.data;
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !quoted.includes(String(path[0])));
  throw new ConfigurationError(
    [
      ...quoted.map((name) => `${name} ${name === 'AUTH_SECRET' ? QUOTED_SECRET : QUOTED}.`),
      ...issues.map(({ path, message }) => `${String(path[0])} ${message}.`),
    ].join('\n'),
  );
}

const QUOTED = 'must be without the quotation marks around it';
const QUOTED_SECRET = `${QUOTED}; if programs ran with them, give the secret with them to AUTH_SECRET_PREVIOUS`;

/** Former secrets as the programs had them, and a key whose reader removes the marks. */
const MAY_BE_QUOTED = new Set(['AUTH_SECRET_PREVIOUS', 'CLERK_JWT_KEY']);

/** True if a program that does not read quotation marks, such as `docker run --env-file`, has left them around a value. */
const isQuoted = (name: string, value: string) =>
  name in variables.shape && !MAY_BE_QUOTED.has(name) && /^(["']).*\1$/s.test(value);

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
  /** Jobs wait this long for an unavailable AI service or object store. Then they fail. */
  outageSeconds: v.JOB_OUTAGE_SECONDS,
  unfinishedPerUser: v.UNFINISHED_JOBS,
  /** Maximum waiting jobs, by plan and queue. New jobs above it are rejected. */
  waitingAtMost: readQueueLimits(v),
  /** Maximum seconds that a standard job should wait while premium jobs keep arriving. */
  standardWaitSeconds: v.STANDARD_WAIT_SECONDS,
  /** Ended jobs are deleted after this many days. Their creations are kept. */
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
  if (password)
    requireGoodPassword('REDIS_CLUSTER_PASSWORD', password, {
      user: username ?? '',
      hosts: nodes.map(({ host }) => host),
    });
  return { kind: 'redis-cluster', nodes, username, password, tls: v.REDIS_CLUSTER_TLS === 'true' };
}

function readStorage(v: Variables, dataDir: string): StorageConfig {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = v;
  requireTogether({ S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY });
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY || !S3_SECRET_KEY) {
    return { kind: 'files', directory: resolve(dataDir, 'objects') };
  }
  requireGoodPassword('S3_SECRET_KEY', S3_SECRET_KEY, {
    user: S3_ACCESS_KEY,
    hosts: [new URL(S3_ENDPOINT).hostname],
  });
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
  ...readCutOutModel(v),
  memoryMb: v.WORKER_MODEL_MEMORY_MB,
});

function readCutOutModel({ CUT_OUT_MODEL: name }: Variables) {
  const listed = cutOutModelIds.find((id) => id === name) ?? null;
  return { cutOutModel: listed, ownCutOutModel: listed ? null : (name ?? null) };
}

function readAi(v: Variables): AiConfig | null {
  const main = readOpenAi(v);
  const fallback = readFallback(v, main);
  const moderationModel = v.AI_MODERATION_MODEL ?? null;
  if (!main && moderationModel !== null)
    throw new ConfigurationError(
      'OPENAI_API_KEY must hold a key when AI_MODERATION_MODEL is set: the service is asked before anything is published.',
    );
  const breaker = { failures: v.AI_BREAKER_FAILURES, seconds: v.AI_BREAKER_SECONDS };
  return main && { main, fallback, moderationModel, breaker };
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
    imageModel: v.AI_IMAGE_MODEL ?? 'gpt-image-1',
    isDefaultImageModel: v.AI_IMAGE_MODEL === undefined,
    imageHosts: v.AI_IMAGE_HOSTS,
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
    isDefaultImageModel: AI_FALLBACK_IMAGE_MODEL === undefined && main.isDefaultImageModel,
  };
}

function readAccounts(v: Variables, publicUrl: string): AccountsConfig {
  const { CLERK_PUBLISHABLE_KEY, CLERK_SECRET_KEY } = v;
  requireTogether({ CLERK_PUBLISHABLE_KEY, CLERK_SECRET_KEY });
  const clerk = readClerk(v, publicUrl);
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
  const secrets = readAuthSecrets(v);
  if (!secrets) {
    throw new ConfigurationError(
      'AUTH_SECRET must hold at least 32 random characters. `npm start` makes one and keeps it in DATA_DIR.',
    );
  }
  return {
    kind: 'local',
    secret: secrets.current,
    previousSecret: secrets.previous,
    twoFactorFor: v.REQUIRE_TWO_FACTOR ?? 'operators',
    isClientRegistrationOpen: v.OAUTH_CLIENT_REGISTRATION === 'open',
  };
}

/** Null if AUTH_SECRET is not set. */
function readAuthSecrets({ AUTH_SECRET: current, AUTH_SECRET_PREVIOUS: previous }: Variables) {
  if (!current) return null;
  if (current === previous)
    throw new ConfigurationError(
      'AUTH_SECRET_PREVIOUS must be another secret than AUTH_SECRET: give AUTH_SECRET a new one (`openssl rand -hex 32`), or remove AUTH_SECRET_PREVIOUS.',
    );
  return { current, previous: previous ?? null };
}

function requireGoodPassword(
  variable: string,
  password: string,
  { user, hosts }: { user: string; hosts: string[] },
) {
  const problem = hosts.every(isLoopback) ? null : passwordProblem(password, user);
  if (problem) throw new ConfigurationError(`${variable} ${problem}.`);
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
  /** The sender: `Name <address>`, or the address alone. */
  from: string;
}

/** Who is told of alerts, and the Alertmanager that does it while it can; null for nobody. */
function readAlerts({ ALERT_MAIL: mail, ALERT_WEBHOOK_URL, ALERTMANAGER_URL, SMTP_URL }: Variables) {
  if (mail.length > 0 && !SMTP_URL)
    throw new ConfigurationError('SMTP_URL must be set with ALERT_MAIL: the server that sends mails.');
  if (mail.length === 0 && !ALERT_WEBHOOK_URL) return null;
  return { mail, webhookUrl: ALERT_WEBHOOK_URL ?? null, alertmanagerUrl: ALERTMANAGER_URL ?? null };
}

/** @returns null if neither variable is set @throws ConfigurationError if only one is set */
function readMail({ SMTP_URL: url, SMTP_FROM: from }: Variables): MailConfig | null {
  if (url && from) return { url, from };
  if (url)
    throw new ConfigurationError(
      'SMTP_FROM must be set with SMTP_URL: the sender of mails, such as Pressroom <no-reply@example.com>.',
    );
  if (from) throw new ConfigurationError('SMTP_URL must be set with SMTP_FROM: the server that sends mails.');
  return null;
}
