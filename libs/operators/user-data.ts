import { z } from 'zod';
import { queryRows, type Database } from '#libs/database/sql.js';

/** A table with rows of users, and the SQL condition that chooses those of the user `$1`. */
export interface UserTable {
  table: string;
  condition: string;
}

/**
 * Tables in which other users write about a user, who must not learn it, with the column of the writer. The user's export
 * has only rows that the user wrote.
 */
const writtenByOthers: Record<string, string> = { creation_reports: 'user_id' };

const linkSchema = z.object({
  child: z.string(),
  childColumn: z.string(),
  parent: z.string(),
  parentColumn: z.string(),
});

/** Foreign keys whose rows are deleted with the row that they refer to. */
const CASCADES = `
  SELECT child.relname AS child, child_column.attname AS "childColumn",
    parent.relname AS parent, parent_column.attname AS "parentColumn"
  FROM pg_constraint key
  JOIN pg_class child ON child.oid = key.conrelid
  JOIN pg_class parent ON parent.oid = key.confrelid
  JOIN pg_attribute child_column ON child_column.attrelid = key.conrelid AND child_column.attnum = key.conkey[1]
  JOIN pg_attribute parent_column ON parent_column.attrelid = key.confrelid AND parent_column.attnum = key.confkey[1]
  WHERE key.contype = 'f' AND key.conparentid = 0 AND key.confdeltype = 'c' AND array_length(key.conkey, 1) = 1
    AND child.relnamespace = 'public'::regnamespace
  ORDER BY child.relname, child_column.attname`;

/**
 * Every table from which the deletion of a user deletes rows, found by following the foreign keys from the two tables of
 * users, so that a new table cannot be forgotten. Files, mails' links and previews of jobs, which have no key, are listed by hand,
 * and so are calls of the AI service, which the deletion keeps without the user's id.
 */
export async function readUserTables(database: Database): Promise<UserTable[]> {
  const links = await queryRows(database, linkSchema, CASCADES);
  const conditions = new Map<string, string[]>([
    ['users', ['id = $1']],
    ['auth_users', ['"id" = $1']],
    ['objects', ['user_id = $1']],
    ['provider_calls', ['user_id = $1']],
    ['job_previews', ['job_id IN (SELECT id FROM jobs WHERE user_id = $1)']],
    [
      'auth_verifications',
      ['position($1 IN "value") > 0', '"identifier" = (SELECT "email" FROM auth_users WHERE "id" = $1)'],
    ],
  ]);
  const waiting = ['users', 'auth_users'];
  for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
    const above = (conditions.get(parent) ?? []).join(' OR ');
    for (const { child, childColumn, parentColumn } of links.filter((link) => link.parent === parent)) {
      if (child === parent) continue;
      const condition = `"${childColumn}" IN (SELECT "${parentColumn}" FROM "${parent}" WHERE ${above})`;
      const known = conditions.get(child);
      if (known === undefined) waiting.push(child);
      if (known?.includes(condition)) continue;
      conditions.set(child, [...(known ?? []), condition]);
    }
  }
  return [...conditions].map(([table, parts]) => ({ table, condition: parts.join(' OR ') }));
}

/** The number of a user's rows by table. Tables without one are left out. */
export async function countUserRows(database: Database, userId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, condition } of await readUserTables(database)) {
    const [row] = await queryRows(
      database,
      z.object({ count: z.number() }),
      `SELECT count(*)::integer AS count FROM "${table}" WHERE ${condition}`,
      [userId],
    );
    if (row && row.count > 0) counts[table] = row.count;
  }
  return counts;
}

/** Columns that would let whoever reads an export act as the user, by table. A test fails if a new one is missing. */
export const secretColumns: Record<string, readonly string[]> = {
  admin_sessions: ['token_hash'],
  api_keys: ['hash'],
  auth_accounts: ['accessToken', 'idToken', 'password', 'refreshToken'],
  auth_oauth_access_tokens: ['token'],
  auth_oauth_clients: ['clientSecret'],
  auth_oauth_refresh_tokens: ['rotationReplayResponse', 'token'],
  auth_passkeys: ['credentialID', 'publicKey'],
  auth_sessions: ['token'],
  auth_two_factors: ['backupCodes', 'secret'],
  auth_verifications: ['identifier', 'value'],
  batches: ['zip_key'],
  creation_shares: ['token'],
  creation_zips: ['key'],
  webhooks: ['previous_secret', 'previous_signing_key', 'secret', 'signing_key'],
};

const keyColumnSchema = z.object({ name: z.string(), type: z.string() });

/** Columns of a table's primary key, in its order. */
const PRIMARY_KEY = `
  SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type
  FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
  WHERE indrelid = quote_ident($1)::regclass AND indisprimary
  ORDER BY array_position(indkey::smallint[], attnum)`;

/** The rows of one table as JSON, without secrets, in the order of its primary key, which no update changes. */
export async function* readUserRows(
  database: Database,
  { table, condition }: UserTable,
  userId: string,
): AsyncGenerator<Record<string, unknown>> {
  // A text may have a megabyte.
  const size = 50;
  const writer = writtenByOthers[table];
  const secret = secretColumns[table] ?? [];
  const exported = writer === undefined ? condition : `${writer} = $1`;
  const key = await queryRows(database, keyColumnSchema, PRIMARY_KEY, [table]);
  const columns = key.map(({ name }) => name).join(', ');
  const next = `(${columns}) > (${key.map(({ type }, n) => `$${n + 2}::${type}`).join(', ')})`;
  for (let after: string[] = []; ;) {
    const rows = await queryRows(
      database,
      z.object({ place: z.array(z.string()), row: z.record(z.string(), z.unknown()) }),
      `SELECT ARRAY[${key.map(({ name }) => `page.${name}::text`).join(', ')}] AS place, to_jsonb(page) AS row
       FROM (SELECT * FROM "${table}" WHERE (${exported})${after.length > 0 ? ` AND ${next}` : ''}
         ORDER BY ${columns} LIMIT ${size}) AS page
       ORDER BY ${key.map(({ name }) => `page.${name}`).join(', ')}`,
      [userId, ...after],
    );
    for (const { row } of rows)
      yield Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)));
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = last.place;
  }
}
