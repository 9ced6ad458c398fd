import type { DataSource, EntityManager } from 'typeorm';
import { inChildSpan } from '#libs/observability/tracing.js';

/** The pool, or one transaction on it. */
export type Database = DataSource | EntityManager;

/**
 * Runs one statement and gives its rows. For what must be right under concurrency (a balance, a job's status) we
 * write the SQL ourselves: conditional updates that return what they changed.
 */
export async function rows<Row>(
  database: Database,
  text: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const answer: unknown = await inChildSpan(statementName(text), spanOf(text), () =>
    database.query(text, parameters),
  );
  // TypeORM answers UPDATE and DELETE as [rows, count], everything else as rows.
  if (
    Array.isArray(answer) &&
    answer.length === 2 &&
    Array.isArray(answer[0]) &&
    typeof answer[1] === 'number'
  ) {
    return answer[0] as Row[];
  }
  return answer as Row[];
}

/** Statements hold no values: those are parameters, which no trace tells. */
const spanOf = (text: string) => ({
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
});

/** The kind of a statement and its first table, such as `UPDATE jobs`. */
function statementName(text: string): string {
  const [, verb = 'SQL', rest = ''] = /^\s*(\w+)([^]*)/.exec(text) ?? [];
  const table = /\b(?:FROM|INTO|UPDATE)\s+([a-z_]+)/.exec(`${verb} ${rest}`)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** The one row of a statement, or undefined. */
export async function row<Row>(
  database: Database,
  text: string,
  parameters: unknown[] = [],
): Promise<Row | undefined> {
  return (await rows<Row>(database, text, parameters))[0];
}

/** True for errors that say a value holds what no text of PostgreSQL can: the character NUL, or half a surrogate pair. */
export function isNoText(error: unknown): boolean {
  // character_not_in_repertoire; untranslatable_character, from JSON.
  return ['22021', '22P05'].includes(String(codeOf(error)));
}

/** True for errors that say the database is away or the connection broke, not that the statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const cause = causeOf(error);
  const code = codeOf(error);
  if (typeof code === 'string') {
    // Class 08: connection exceptions; 57P01-57P03: shutdown, crash, starting up; 53300: too many connections.
    if (/^08|^57P0[123]$|^53300$/.test(code)) return true;
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
