import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { TaskCancelledError } from 'cockatiel';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { TIME_LIMITS, type TimeLimits } from '#libs/config/database-limits.js';
import type { DatabasePooling } from '#libs/config/environment.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import { poolOptions } from './pool-options.js';
import { requireSession } from './pooler.js';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';
import { connectionProblem, isDatabaseUnavailable } from './sql.js';
import { StatementSpans } from './statement-spans.js';

const RETRY_EVERY_MS = 1_000;
/** Milliseconds allowed for connecting and for the first statements. */
const OPEN_WITHIN_MS = 15_000;
/** Number of retries if the server rejects user, password or database name. */
const REFUSALS = 9;

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections of this process. */
  poolSize?: number;
  applicationName?: string;
  pooling?: DatabasePooling;
  timeLimits?: TimeLimits;
}

/**
 * Creates the connection pool of one process. PostgreSQL cancels statements that run too long or wait too long for a
 * lock, and the pool closes connections of a server that hangs, so that a stuck statement cannot block a request for ever.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'pressroom',
  pooling = 'session',
  timeLimits = TIME_LIMITS,
}: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    entities: Object.values(entities),
    namingStrategy: new SnakeCaseNamingStrategy(),
    subscribers: [StatementSpans],
    migrations: Object.values(migrations),
    migrationsTableName: 'migrations',
    // The `debug` logger is silent by default. Errors are thrown anyway, and TypeORM's default logger would also print
    // those of migrations.
    logger: 'debug',
    extra: {
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...poolOptions(pooling, timeLimits),
    },
  });
}

export interface WaitOptions {
  /** Called when the database does not respond. The returned function is called when the waiting is over. */
  whileUnavailable?: () => Promise<() => Promise<void>>;
  retryEveryMs?: number;
}

/**
 * Opens the pool. Waits without limit for an unavailable database, since after a power cut programs may start before
 * the database.
 * @throws ConfigurationError if the database keeps rejecting user, password or database name, or if a pooler in front of it
 * does not fit `pooling`
 */
export async function openDataSource(
  options: DatabaseOptions,
  { whileUnavailable, retryEveryMs = RETRY_EVERY_MS }: WaitOptions = {},
): Promise<DataSource> {
  const logger = new Logger('Database');
  let refusals = 0;
  let endWaiting: (() => Promise<void>) | undefined;
  try {
    for (;;) {
      try {
        const dataSource = await openChecked(options);
        if (endWaiting) logger.log('database (DATABASE_URL) answers');
        return dataSource;
      } catch (error) {
        const isRefusal = isDatabaseRefused(error);
        if (isRefusal && (refusals += 1) > REFUSALS) throw cannotBeOpened(error);
        if (!isRefusal && !isUnavailable(error)) throw error;
        if (!endWaiting) {
          endWaiting = (await whileUnavailable?.()) ?? doNothing;
          const what = isRefusal
            ? 'refuses to be opened'
            : isServerError(error)
              ? 'answers with an error'
              : 'does not answer';
          logger.warn(`database (DATABASE_URL) ${what}, waiting for it: ${connectionProblem(error)}`);
        }
      }
      await sleep(retryEveryMs);
    }
  } finally {
    await endWaiting?.();
  }
}

async function openChecked(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = await openOnce(options);
  try {
    if (options.pooling === 'transaction') await requireTimeLimits(dataSource);
    else await requireSessions(dataSource, options.url);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** @throws ConfigurationError if a pooler changes the session of a connection */
async function requireSessions(dataSource: DataSource, url: string): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await requireSession((await runner.connect()) as pg.ClientBase, url);
  } finally {
    await runner.release();
  }
}

/** @throws ConfigurationError if the user of a transaction pool has no time limits */
async function requireTimeLimits(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<{ limit: string }[]>(
    `SELECT current_setting('statement_timeout') AS "limit"`,
  );
  if (found?.limit !== '0') return;
  throw new ConfigurationError(
    'DATABASE_URL must be of a user with a statement_timeout when DATABASE_POOLING is transaction: run `migrate` with DATABASE_DIRECT_URL and the same user, then restart PgBouncer.',
  );
}

const doNothing = () => Promise.resolve();

/** Gives up if the first connection hangs. The connection is left open and ends with this process or the database. */
async function openOnce(options: DatabaseOptions): Promise<DataSource> {
  const opening = createDataSource(options).initialize();
  try {
    return await settleWithin(OPEN_WITHIN_MS, () => opening);
  } catch (error) {
    opening.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw error;
  }
}

/** True if a server or a pooler sent the error. */
export const isServerError = (error: unknown) => (error as { severity?: string }).severity !== undefined;

const isUnavailable = (error: unknown) => error instanceof TaskCancelledError || isDatabaseUnavailable(error);

/**
 * True if the server, or PgBouncer in front of it, rejects user, password or database name. This also happens for a while when
 * a database is being restored.
 */
export function isDatabaseRefused(error: unknown): boolean {
  const { code, message = '', severity } = error as { code?: string; message?: string; severity?: string };
  // SQLSTATEs: invalid_authorization_specification, invalid_password, invalid_catalog_name.
  if (['28000', '28P01', '3D000'].includes(String(code))) return true;
  // The same for a user who may not connect (42501), and for a database that takes no connections (55000).
  if (severity === 'FATAL' && ['42501', '55000'].includes(String(code))) return true;
  if (isTlsRefused(code, message)) return true;
  // PgBouncer sends its own errors, and before 1.20 also those of PostgreSQL, as protocol_violation.
  if (code === '08P01') return POOLER_REFUSALS.test(message);
  // `SASL:` starts pg's own message for a missing password.
  return message.startsWith('SASL:');
}

/** True if the server has no TLS, or a certificate that is not trusted. */
const isTlsRefused = (code: string | undefined, message: string) =>
  /^(?:SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_|ERR_TLS_CERT|ERR_SSL_)/.test(
    code ?? '',
  ) || /does not support SSL|establishing an SSL connection/.test(message);

/** What PgBouncer says if it rejects a client, or if PostgreSQL rejects PgBouncer. */
const POOLER_REFUSALS =
  /authentication failed|^auth failed|no such (?:user|database)|(?:database|role) ".*" does not exist|login rejected|no pg_hba\.conf entry|not permitted to log in|wrong password type|empty password|(?:username|password) too long|no username supplied|SSL required|certificate required|unsupported (?:options )?startup parameter/i;

/** One line for an operator. */
export function unavailableMessage(error: unknown, variable = 'DATABASE_URL'): string {
  const what = isServerError(error) ? 'answers with an error' : 'does not answer';
  return `The database that ${variable} names ${what}: ${connectionProblem(error)}.`;
}

export const cannotBeOpened = (error: unknown, variable = 'DATABASE_URL') =>
  new ConfigurationError(
    `${variable} must hold the address of a PostgreSQL database that can be opened: ${connectionProblem(error)}.`,
  );
