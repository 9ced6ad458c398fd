import type pg from 'pg';
import {
  QueryRunnerAlreadyReleasedError,
  type DataSource,
  type EntityManager,
  type EntityMetadata,
  type QueryRunner,
} from 'typeorm';
import { z } from 'zod';
import { inStatementSpan } from './statement-spans.js';

export type Transaction = EntityManager;

/** Schema of a `timestamptz` column, as a time of the contract. */
export const isoTime = z.date().transform((date) => date.toISOString());

/** The connection pool, or a transaction. */
export type Database = DataSource | Transaction;

type EntityClass<Entity> = new () => Entity;

/**
 * Runs a hand-written statement that returns rows of an entity, such as `UPDATE … RETURNING *`. Write SQL by hand if
 * one statement must be correct under concurrency; otherwise use a repository or the query builder.
 */
export async function queryEntities<Entity extends object>(
  database: Database,
  entity: EntityClass<Entity>,
  text: string,
  parameters: unknown[] = [],
): Promise<Entity[]> {
  const { records } = await run(database, text, parameters);
  const { columns } = dataSourceOf(database).getMetadata(entity);
  return records.map((record) => toEntity<Entity>(columns, record));
}

/** First row of {@link queryEntities}. Undefined if there are no rows. */
export async function queryEntity<Entity extends object>(
  database: Database,
  entity: EntityClass<Entity>,
  text: string,
  parameters: unknown[] = [],
): Promise<Entity | undefined> {
  return (await queryEntities(database, entity, text, parameters))[0];
}

/** Like {@link queryEntities}, for statements that return only some columns, given as property names. */
export async function queryColumns<Entity extends object, Property extends keyof Entity & string>(
  database: Database,
  entity: EntityClass<Entity>,
  properties: Property[],
  text: string,
  parameters: unknown[] = [],
): Promise<Pick<Entity, Property>[]> {
  const { records } = await run(database, text, parameters);
  const metadata = dataSourceOf(database).getMetadata(entity);
  const columns = properties.map((property) => metadata.findColumnWithPropertyName(property)!);
  return records.map((record) => toEntity<Pick<Entity, Property>>(columns, record));
}

/** Schema of a row that was returned as JSON. {@link entityFrom} checks its columns. */
export const jsonRow = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null,
);

/** Converts a row that was returned as JSON, for example by `to_jsonb(jobs)`, to an entity. */
export const entityFrom = <Entity extends object>(
  database: Database,
  entity: EntityClass<Entity>,
  row: Record<string, unknown>,
): Entity => toEntity<Entity>(dataSourceOf(database).getMetadata(entity).columns, row);

/** Types of columns whose values TypeORM leaves as they are. */
const PLAIN_TYPES: unknown[] = ['text', 'uuid', 'boolean', 'smallint', 'integer', 'bigint', 'real', 'jsonb'];

/** @throws Error if a column is missing in the row */
function toEntity<Entity>(columns: EntityMetadata['columns'], record: Record<string, unknown>): Entity {
  const entity: Record<string, unknown> = {};
  for (const column of columns) {
    const value = record[column.databaseName];
    if (value === undefined) throw new Error(`The statement returned no column ${column.databaseName}.`);
    const isPlain = column.transformer === undefined && PLAIN_TYPES.includes(column.type);
    entity[column.propertyName] = isPlain
      ? value
      : column.entityMetadata.dataSource.driver.prepareHydratedValue(value, column);
  }
  return entity as Entity;
}

/** Runs a hand-written statement and validates its rows with a schema. For results that are not rows of an entity. */
export async function queryRows<Schema extends z.ZodType>(
  database: Database,
  schema: Schema,
  text: string,
  parameters: unknown[] = [],
): Promise<z.infer<Schema>[]> {
  const { records } = await run(database, text, parameters);
  return schema.array().parse(records);
}

/** First row of {@link queryRows}. Undefined if there are no rows. */
export async function queryRow<Schema extends z.ZodType>(
  database: Database,
  schema: Schema,
  text: string,
  parameters: unknown[] = [],
): Promise<z.infer<Schema> | undefined> {
  return (await queryRows(database, schema, text, parameters))[0];
}

/** A prepared statement, which each connection parses and plans only once. */
export interface PreparedStatement {
  name: string;
  /** Must list its columns: with `*`, statements on open connections fail after a migration adds a column. */
  text: string;
}

/** Like {@link queryRows}, as a prepared statement for frequent queries. */
export async function queryPrepared<Schema extends z.ZodType>(
  database: Database,
  schema: Schema,
  statement: PreparedStatement,
  values: unknown[] = [],
): Promise<z.infer<Schema>[]> {
  return schema.array().parse(await runPrepared(database, statement, values));
}

/**
 * Like {@link queryEntities}, as a prepared statement for frequent queries. @param statement builds the SQL from the
 * entity's column list
 */
export async function queryPreparedEntities<Entity extends object>(
  database: Database,
  entity: EntityClass<Entity>,
  { name, text }: { name: string; text: (columns: string) => string },
  values: unknown[] = [],
): Promise<Entity[]> {
  const { columns } = dataSourceOf(database).getMetadata(entity);
  const names = columns.map(({ databaseName }) => databaseName).join(', ');
  const rows = await runPrepared(database, { name, text: text(names) }, values);
  return rows.map((row) => toEntity<Entity>(columns, row));
}

/** First row of {@link queryPreparedEntities}. Undefined if there are no rows. */
export async function queryPreparedEntity<Entity extends object>(
  ...statement: Parameters<typeof queryPreparedEntities<Entity>>
): Promise<Entity | undefined> {
  return (await queryPreparedEntities(...statement))[0];
}

const runPrepared = (database: Database, { name, text }: PreparedStatement, values: unknown[]) =>
  withRunner(database, async (runner) => {
    const client = (await runner.connect()) as pg.ClientBase;
    const { rows } = await inStatementSpan(text, () =>
      client.query<Record<string, unknown>>({ name, text, values }),
    );
    return rows;
  });

/** Runs a hand-written statement. @returns number of rows inserted, updated, deleted or selected */
export async function execute(database: Database, text: string, parameters: unknown[] = []): Promise<number> {
  return (await run(database, text, parameters)).affected ?? 0;
}

async function run(
  database: Database,
  text: string,
  parameters: unknown[],
): Promise<{ records: Record<string, unknown>[]; affected?: number }> {
  return withRunner(database, (runner) => runner.query(text, parameters, true));
}

/** Runs the task on the transaction's connection, or on a new connection of the pool. */
async function withRunner<T>(database: Database, task: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const transaction = 'queryRunner' in database ? database.queryRunner : undefined;
  const runner = transaction ?? dataSourceOf(database).createQueryRunner();
  try {
    return await task(runner);
  } finally {
    if (!transaction) await runner.release();
  }
}

const dataSourceOf = (database: Database): DataSource =>
  'dataSource' in database ? database.dataSource : database;

/** True if PostgreSQL rejected a value that cannot be stored as text: it contains NUL or an unpaired surrogate. */
export function isNoText(error: unknown): boolean {
  // SQLSTATEs: character_not_in_repertoire; untranslatable_character (for JSON).
  return ['22021', '22P05'].includes(String(codeOf(error)));
}

/** True if PostgreSQL rejected a value, which it will always reject. */
export function isRefusedValue(error: unknown): boolean {
  // SQLSTATE classes 22: data exceptions; 23: violated constraints.
  return /^2[23]/.test(String(codeOf(error)));
}

/** True if PostgreSQL cancelled the statement because of a timeout, a lock timeout or a cancel request. */
export function isStatementEnded(error: unknown): boolean {
  // SQLSTATEs: query_canceled (includes timeouts); lock_not_available.
  return ['57014', '55P03'].includes(String(codeOf(error)));
}

/** True for a deadlock. The transaction may be retried. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01';
}

/**
 * Message of a failed connection. If a host has several addresses, like localhost, only the inner errors have a
 * message.
 */
export function connectionProblem(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(connectionProblem).join('; ');
  const { message } = error as Error;
  return /^SASL:.* client password must be/.test(message)
    ? 'the address has no password, which the server asks for'
    : message;
}

/** True if the database is unavailable or the connection broke. False if the statement itself failed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // TypeORM releases a broken connection immediately, so later statements of its transaction fail with this error.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  const cause = causeOf(error);
  const code = codeOf(error);
  if (typeof code === 'string') {
    // SQLSTATE class 08: connection exceptions; 57P01 to 57P03: shutdown, crash, starting up; 53100: disk full; 53300:
    // too many connections.
    if (/^08|^57P0[123]$|^53[13]00$/.test(code)) return true;
    // A missing socket, unlike a missing file.
    if (code === 'ENOENT') return (cause as { syscall?: string }).syscall === 'connect';
    if (
      ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].includes(
        code,
      )
    )
      return true;
  }
  return /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i.test(
    (cause as Error).message ?? '',
  );
}

/** Unwraps the driver's error from TypeORM's error. */
const causeOf = (error: object): unknown => (error as { driverError?: unknown }).driverError ?? error;

export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? (causeOf(error) as { code?: unknown }).code : undefined;
