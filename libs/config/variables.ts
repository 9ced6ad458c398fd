import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { isModelId, modelIds, type ModelId } from '#libs/contract/model-names.js';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { isLoopback } from './own-origins.js';
import { isCommonPassword, isRandom } from './secret-strength.js';

const wholeNumber = (minimum: number, maximum = 1_000_000) => {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.number().min(minimum, error).max(maximum, error));
};
const atLeastOne = (fallback: number) => wholeNumber(1).default(fallback);

/** Schema of an amount of money. */
const money = () => {
  const error = 'must be an amount of at most 1000000000, such as 100 or 12.50';
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, error)
    .transform(Number)
    .optional();
};

/** Schema of a number for each queue: `5` for all queues, or `name=5,…`. Queues without a number have the default. */
const byQueue = (fallback: number) => {
  const error = `must be a whole number from 1 to 1000000, or one for each queue, such as ${queueNames.map((name) => `${name}=${fallback}`).join(',')}`;
  return z
    .string()
    .transform((text, context): Record<QueueName, number> => {
      const entries = /^\d+$/.test(text)
        ? queueNames.map((name) => [name, text] as const)
        : list(text).map((entry) => entry.split('=').map((part) => part.trim()) as [string, string]);
      const numbers = Object.fromEntries(entries);
      const isValid =
        entries.length > 0 &&
        Object.keys(numbers).length === entries.length &&
        entries.every(
          ([name, number = '', ...more]) => isQueue(name) && isCount(number) && more.length === 0,
        );
      if (!isValid) context.addIssue({ code: 'custom', message: error });
      return everyQueue((name) => Number(numbers[name] ?? fallback));
    })
    .default(everyQueue(() => fallback));
};
const isQueue = (name: string): name is QueueName => (queueNames as string[]).includes(name);
const isCount = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000_000;
const everyQueue = (number: (name: QueueName) => number) =>
  Object.fromEntries(queueNames.map((name) => [name, number(name)])) as Record<QueueName, number>;

const oneOf = <const Choices extends readonly [string, ...string[]]>(...choices: Choices) =>
  z.enum(choices, {
    error: `must be ${choices.length > 2 ? 'one of ' : ''}${choices.join(choices.length > 2 ? ', ' : ' or ')}`,
  });

const addressError = (schemes: string[]) =>
  `must be an address with a host that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;

/** Schema of a URL with a host and one of the schemes. A PostgreSQL URL may have a socket in `?host=` instead of a host. */
const address = (...schemes: string[]) => {
  const error = addressError(schemes);
  return z.string().refine(
    (text) => {
      const url = URL.canParse(text) ? new URL(text) : null;
      return (
        url !== null &&
        schemes.includes(url.protocol.slice(0, -1)) &&
        (url.hostname || url.searchParams.get('host'))
      );
    },
    { error, abort: true },
  );
};

const isOrigin = (text: string) => {
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === '/' && !search && !hash && !username && !password;
};
const originLike = (example: string) =>
  address('http', 'https')
    .refine(isOrigin, {
      error: `must hold the origin alone, such as ${example}, without a path`,
      abort: true,
    })
    .transform((text) => new URL(text).origin);
const origin = originLike('https://pressroom.example.com');

const hostAndPort = /^[^\s:,]+:\d{1,5}$/;
const isClusterNodes = (text: string) =>
  text.split(',').every((node) => hostAndPort.test(node) && Number(node.split(':')[1]) <= 65_535);

const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
const isAddressRange = (text: string) => {
  const [ip = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(ip)] ?? 0;
  return (
    bits > 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  );
};
const isProxy = (text: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isAddressRange(text);

const hostName = z.string().regex(/^[\w.:%-]+$/, 'must be an address or the name of a host');

/** Managed services require at least 8 characters. A random password of 8 letters rarely has fewer than 5 different ones. */
const PASSWORD_MIN_LENGTH = 8;
const PASSWORD_MIN_DISTINCT_CHARACTERS = 5;

/** True if the text is a part of it, written at least twice. */
function repeatsPart(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length += 1)
    if (text.slice(length) === text.slice(0, -length)) return true;
  return false;
}

/** Message about a password of a service that other machines reach. Null for a good one. */
export function passwordProblem(password: string, user: string): string | null {
  const isWeak =
    password.length < PASSWORD_MIN_LENGTH ||
    new Set(password).size < PASSWORD_MIN_DISTINCT_CHARACTERS ||
    password === user ||
    repeatsPart(password) ||
    isCommonPassword(password);
  return isWeak
    ? `must hold a password that is hard to guess, of at least ${PASSWORD_MIN_LENGTH} characters: \`openssl rand -hex 24\` makes one, and docs/rotation.md says how it is changed`
    : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A `/` or `#` in a password ends the host, so that the `@` before the real one is in the path, or behind the `#`. */
function endsAtPassword(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url === null || url.hash !== '' || url.pathname.includes('@');
}

/** An address whose password, if it has one, is hard to guess, unless only this machine reaches the host. */
const serviceUrl = (...schemes: string[]) => {
  const error = `${addressError(schemes)}, in whose user and password @ is written as %40, # as %23, / as %2F, : as %3A, ? as %3F and % as %25`;
  const withWholePassword = z.string().refine((text) => !endsAtPassword(text), { error, abort: true });
  return withWholePassword.pipe(address(...schemes)).superRefine((text, context) => {
    const { hostname, username, password } = new URL(text);
    // A PostgreSQL URL without a host names a socket of this machine.
    if (password === '' || hostname === '' || isLoopback(hostname)) return;
    const message = passwordProblem(decode(password), decode(username));
    if (message) context.addIssue({ code: 'custom', message });
  });
};

const FILES_OF_TLS = ['sslrootcert', 'sslcert', 'sslkey'];

const databaseUrl = serviceUrl('postgres', 'postgresql').superRefine((text, context) => {
  const { searchParams } = new URL(text);
  for (const name of FILES_OF_TLS) {
    const file = searchParams.get(name);
    if (file && !isReadable(file))
      context.addIssue({ code: 'custom', message: `must name a file in ${name} that can be read` });
  }
});

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const authSecret = z
  .string()
  .min(32, 'must hold at least 32 random characters')
  .refine(
    isRandom,
    'must be random, but is a placeholder, words, a sequence, a few characters or a repeated part: `openssl rand -hex 32` makes one',
  );

/** The format, default and error message of each environment variable. */
export const variables = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: hostName.default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_HOST: hostName.default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http', 'https').optional(),
  TRACE_URL: z
    .string()
    .refine((text) => text.includes('{traceId}') && /^https?:\/\//.test(text), {
      error:
        'must be an http address with {traceId} in it, such as https://traces.example.com/trace/{traceId}',
    })
    .optional(),
  MIN_FREE_DISK_MB: wholeNumber(0, 1_000_000_000).default(500),
  /** Read by Node.js. Two hashes of passwords at once leave two threads to files, compression and token checks. */
  UV_THREADPOOL_SIZE: wholeNumber(4, 1024).optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  LOG_ADDRESSES: oneOf('network', 'full', 'none').default('network'),
  PUBLIC_URL: origin.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform(list)
    .refine((proxies) => proxies.every(isProxy), {
      error:
        'must be a list of addresses or ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas',
    })
    .default([]),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_POOLING: oneOf('session', 'transaction').default('session'),
  REDIS_URL: serviceUrl('redis', 'rediss').optional(),
  REDIS_CLUSTER_NODES: z
    .string()
    .refine(isClusterNodes, 'must be a list of host:port, separated by commas')
    .optional(),
  REDIS_CLUSTER_USERNAME: z.string().optional(),
  REDIS_CLUSTER_PASSWORD: z.string().optional(),
  REDIS_CLUSTER_TLS: oneOf('true', 'false').optional(),
  S3_ENDPOINT: originLike('https://s3.example.com').optional(),
  S3_BUCKET: z.string().min(3, 'must be the name of a bucket, of at least 3 characters').optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: address('http', 'https').optional(),
  AI_TEXT_MODEL: z.string().default('gpt-4.1-mini'),
  AI_IMAGE_MODEL: z.string().optional(),
  AI_IMAGE_HOSTS: z
    .string()
    .default('')
    .transform(list)
    .refine(
      (hosts) => hosts.every((host) => /^[a-z\d.-]+(:\d+)?$/.test(host)),
      'must be hosts in lower case, such as images.example.com,cdn.example.com',
    ),
  AI_FIRST_TOKEN_SECONDS: atLeastOne(120),
  AI_IDLE_SECONDS: atLeastOne(30),
  AI_IMAGE_SECONDS: atLeastOne(180),
  AI_PARTIAL_IMAGES: wholeNumber(0, 3).default(3),
  AI_MODERATION_MODEL: z.string().optional(),
  AI_FALLBACK_API_KEY: z.string().optional(),
  AI_FALLBACK_BASE_URL: address('http', 'https').optional(),
  AI_FALLBACK_TEXT_MODEL: z.string().optional(),
  AI_FALLBACK_IMAGE_MODEL: z.string().optional(),
  AI_BREAKER_FAILURES: atLeastOne(5),
  AI_BREAKER_SECONDS: atLeastOne(10),
  PRICES: z.string().optional(),
  PRICES_PROVIDER: z.string().optional(),
  BUDGET_MONTHLY: money(),
  BUDGET_MONTHLY_FREE: money(),
  BUDGET_MONTHLY_PREMIUM: money(),
  BUDGET_MONTHLY_USER: money(),
  CLERK_PUBLISHABLE_KEY: z.string().optional(),
  CLERK_SECRET_KEY: z.string().optional(),
  CLERK_JWT_KEY: z.string().optional(),
  CLERK_WEBHOOK_SIGNING_SECRET: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/,
      'must hold the signing secret of the webhook endpoint: it starts with whsec_',
    )
    .optional(),
  CLERK_PREMIUM_PLAN: z
    .string()
    .regex(/^[a-z0-9_-]+$/, 'must be the slug of a billing plan, such as premium')
    .optional(),
  CLERK_AUTHORIZED_PARTIES: z
    .string()
    .transform(list)
    .pipe(
      z
        .array(origin, { error: 'must be a list of origins' })
        .min(1, 'must be a list of origins, separated by commas'),
    )
    .optional(),
  CLERK_OAUTH_CLIENTS: z
    .string()
    .transform((text) => list(text).map((entry) => /^([^=\s]+)=(.{1,60})$/.exec(entry)))
    .refine((entries) => entries.every((entry) => entry !== null), {
      error: 'must be a list of OAuth applications of Clerk as clientId=Name, separated by commas',
    })
    .transform((entries) => entries.map((entry) => ({ clientId: entry![1]!, name: entry![2]!.trim() })))
    .optional(),
  CLERK_API_URL: address('http', 'https').optional(),
  CLERK_PROXY_URL: z
    .string()
    .refine((text) => /^\/[\w./-]+$/.test(text) || address('http', 'https').safeParse(text).success, {
      error: 'must be an address, or a path of this origin such as /__clerk',
    })
    .optional(),
  OUTBOUND_PROXY_URL: address('http', 'https').optional(),
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .transform(list)
    .refine((networks) => networks.every(isAddressRange), {
      error: 'must be a list of addresses or ranges such as 10.0.0.0/8, separated by commas',
    })
    .default([]),
  SMTP_URL: address('smtp', 'smtps').optional(),
  SMTP_FROM: z
    .string()
    .regex(
      /^[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/,
      'must be a mail address, or Name <address>',
    )
    .optional(),
  ALERT_MAIL: z
    .string()
    .transform(list)
    .refine((addresses) => addresses.every((one) => /^[^\s<>@,]+@[^\s<>@,]+$/.test(one)), {
      error: 'must be a list of mail addresses, separated by commas',
    })
    .default([]),
  ALERT_WEBHOOK_URL: address('http', 'https')
    .refine((text) => new URL(text).username === '', 'must have no user and no password')
    .optional(),
  ALERTMANAGER_URL: origin.optional(),
  AUTH_SECRET: authSecret.optional(),
  // Also a weak one, so that it can be replaced.
  AUTH_SECRET_PREVIOUS: z.string().optional(),
  LOCAL_ACCOUNTS: oneOf('true', 'false').optional(),
  OAUTH_CLIENT_REGISTRATION: oneOf('off', 'open').default('off'),
  REQUIRE_TWO_FACTOR: oneOf('nobody', 'operators').optional(),
  PLAN_SWITCH: oneOf('self', 'operator').optional(),
  PREMIUM_PRICE: z
    .string()
    .regex(/^\d{1,7}(\.\d{1,3})? [A-Z]{3}$/, 'must be an amount and a currency, such as 12 USD')
    .transform((text) => {
      const [amount, currency] = text.split(' ') as [string, string];
      return { amount: Number(amount), currency };
    })
    .default({ amount: 12, currency: 'USD' }),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^(sk|rk)_(test|live)_\S+$/,
      'must hold a secret or restricted key of Stripe: it starts with sk_ or rk_',
    )
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must hold the signing secret of the webhook endpoint: it starts with whsec_')
    .optional(),
  STRIPE_PRICE_PREMIUM: z
    .string()
    .regex(/^price_\w+$/, 'must be the id of a recurring price: it starts with price_')
    .optional(),
  STRIPE_TRIAL_DAYS: wholeNumber(0, 730).optional(),
  STRIPE_GRACE_DAYS: wholeNumber(0, 60).optional(),
  STRIPE_API_URL: origin.optional(),
  DEMO_VIDEO_URL: address('http', 'https').optional(),
  SYNC_WAIT_SECONDS: atLeastOne(120),
  SHUTDOWN_SECONDS: atLeastOne(25),
  WORKER_QUEUES: z
    .string()
    .transform(list)
    .refine((names): names is QueueName[] => names.length > 0 && names.every(isQueue), {
      error: `must be a list of queues, separated by commas, out of ${queueNames.join(', ')}`,
    })
    .transform((names) => [...new Set(names as QueueName[])])
    .default(queueNames),
  WORKER_CONCURRENCY: byQueue(8),
  WORKER_IMAGE_MEMORY_MB: wholeNumber(512).default(1_200),
  WORKER_MODEL_MEMORY_MB: wholeNumber(320).default(620),
  MODELS_DIR: z.string().optional(),
  MODELS_OFF: z
    .string()
    .transform(list)
    .refine((ids): ids is ModelId[] => ids.every(isModelId), {
      error: `must be a list of models, separated by commas, out of ${modelIds.join(', ')}`,
    })
    .default([]),
  CUT_OUT_MODEL: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'must be u2netp, u2net, or the name of a folder in MODELS_DIR')
    .optional(),
  JOB_RETENTION_DAYS: wholeNumber(1, 36_500).default(90),
  JOB_ATTEMPTS: atLeastOne(3),
  JOB_LEASE_SECONDS: atLeastOne(10),
  JOB_OUTAGE_SECONDS: atLeastOne(600),
  RATE_LIMIT_REQUESTS: atLeastOne(600),
  RATE_LIMIT_SUBMISSIONS: atLeastOne(120),
  RATE_LIMIT_PREVIEWS: atLeastOne(20),
  RATE_LIMIT_VERSIONS: atLeastOne(20),
  RATE_LIMIT_SIGN_IN: atLeastOne(20),
  RATE_LIMIT_SIGN_UP: atLeastOne(20),
  STORAGE_QUOTA_FREE_MB: atLeastOne(100),
  STORAGE_QUOTA_PREMIUM_MB: atLeastOne(2_000),
  UNFINISHED_JOBS: atLeastOne(200),
  UPLOADS_PER_USER: atLeastOne(4),
  UPLOAD_SPOOL_MB: atLeastOne(256),
  SOCKETS_PER_USER: atLeastOne(20),
  CONNECTIONS_PER_ADDRESS: atLeastOne(1_000),
  QUEUE_LIMIT_STANDARD: byQueue(10_000),
  QUEUE_LIMIT_PREMIUM: byQueue(20_000),
  STANDARD_WAIT_SECONDS: atLeastOne(600),
  PUBLISHING: oneOf('open', 'review', 'off').default('open'),
  REPORTS_TO_HIDE: wholeNumber(0).default(3),
  REPORTS_MIN_ACCOUNT_HOURS: wholeNumber(0).default(0),
});

export type Variables = z.infer<typeof variables>;
