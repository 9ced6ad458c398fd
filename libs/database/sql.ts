import type pg from 'pg';
import {
  QueryRunnerAlreadyReleasedError,
  type DataSource,
  type EntityManager,
  type EntityMetadata,
  type QueryRunner,
} from 'typeorm';
import type { z } from 'zod';
import { inStatementSpan } from './statement-spans.js';

export type Transaction = EntityManager;

/** The pool, or one transaction on it. */
export type Database = DataSource | Transaction;

type EntityClass<Entity> = new () => Entity;

/**
 * Runs a hand-written statement that returns rows of an entity, such as `UPDATE … RETURNING *`. Such statements are for
 * what must be right under concurrency; everything else uses a repository or the query builder.
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

/** The first of {@link queryEntities}, or undefined. */
export async function queryEntity<Entity extends object>(
  database: Database,
  entity: EntityClass<Entity>,
  text: string,
  parameters: unknown[] = [],
): Promise<Entity | undefined> {
  return (await queryEntities(database, entity, text, parameters))[0];
}

/** The same for a statement that returns some columns of an entity, given by their properties. */
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

/** The entity of a row that a statement returned as JSON, such as `to_jsonb(jobs)`. */
export const entityFrom = <Entity extends object>(
  database: Database,
  entity: EntityClass<Entity>,
  row: Record<string, unknown>,
): Entity => toEntity<Entity>(dataSourceOf(database).getMetadata(entity).columns, row);

/** @throws Error for a row without one of the columns */
function toEntity<Entity>(columns: EntityMetadata['columns'], record: Record<string, unknown>): Entity {
  return Object.fromEntries(
    columns.map((column) => {
      const value = record[column.databaseName];
      if (value === undefined) throw new Error(`The statement returned no column ${column.databaseName}.`);
      return [
        column.propertyName,
        column.entityMetadata.dataSource.driver.prepareHydratedValue(value, column),
      ];
    }),
  ) as Entity;
}

/** Runs a hand-written statement whose rows are computed, and checks them against their schema. */
export async function queryRows<Schema extends z.ZodType>(
  database: Database,
  schema: Schema,
  text: string,
  parameters: unknown[] = [],
): Promise<z.infer<Schema>[]> {
  const { records } = await run(database, text, parameters);
  return schema.array().parse(records);
}

/** The first of {@link queryRows}, or undefined. */
export async function queryRow<Schema extends z.ZodType>(
  database: Database,
  schema: Schema,
  text: string,
  parameters: unknown[] = [],
): Promise<z.infer<Schema> | undefined> {
  return (await queryRows(database, schema, text, parameters))[0];
}

/** A statement that each connection parses and plans once. One name has one text. */
export interface PreparedStatement {
  name: string;
  /** It names what it returns: with `*` it fails on connections that are open while a migration adds a column. */
  text: string;
}

/** The same as {@link queryRows}, for a statement that is run often. */
export async function queryPrepared<Schema extends z.ZodType>(
  database: Database,
  schema: Schema,
  statement: PreparedStatement,
  values: unknown[] = [],
): Promise<z.infer<Schema>[]> {
  return schema.array().parse(await runPrepared(database, statement, values));
}

/** The same as {@link queryEntities}. @param statement its text, by the names of all columns of the entity */
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

/** The first of {@link queryPreparedEntities}, or undefined. */
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

/** Runs a hand-written statement. @returns how many rows it inserted, changed, deleted or selected */
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

/** Runs on the connection of the transaction, or on one of the pool. */
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

/** True for errors that say a value holds what no text of PostgreSQL can: the character NUL, or half a surrogate pair. */
export function isNoText(error: unknown): boolean {
  // character_not_in_repertoire; untranslatable_character, from JSON.
  return ['22021', '22P05'].includes(String(codeOf(error)));
}

/** True for errors that say a statement was ended because it took too long, waited too long for a lock, or was cancelled. */
export function isStatementEnded(error: unknown): boolean {
  // query_canceled, also by a timeout; lock_not_available.
  return ['57014', '55P03'].includes(String(codeOf(error)));
}

/** True for errors that say a statement was ended so that another could go on, and may be tried again. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01';
}

/** Why a connection failed. For a name with several addresses, such as localhost, only their errors have a message. */
export const connectionProblem = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(connectionProblem).join('; ') : (error as Error).message;

/** True for errors that say the database is away or the connection broke, not that the statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // TypeORM gives a broken connection back at once, in the middle of its transaction.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  const cause = causeOf(error);
  const code = codeOf(error);
  if (typeof code === 'string') {
    // Class 08: connection exceptions; 57P01-57P03: shutdown, crash, starting up; 53100: disk full; 53300: too many connections.
    if (/^08|^57P0[123]$|^53[13]00$/.test(code)) return true;
    if (
      [
        'ECONNREFUSED',
        'ECONNRESET',
        'EPIPE',
        'ETIMEDOUT',
        'ENOENT',
        'EHOSTUNREACH',
        'ENOTFOUND',
        'EAI_AGAIN',
      ].includes(code)
    )
      return true;
  }
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i.test(
    (cause as Error).message ?? '',
  );
}

/** What the driver said, out of what TypeORM wraps around it. */
const causeOf = (error: object): unknown => (error as { driverError?: unknown }).driverError ?? error;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? (causeOf(error) as { code?: unknown }).code : undefined;
