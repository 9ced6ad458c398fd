import { QueryFailedError } from 'typeorm';
import { z } from 'zod';
import { auditEntrySchema, type AuditFilter } from '#libs/contract/admin.js';
import { AuditEntryEntity } from '#libs/database/entities/audit-log.js';
import { isoTime, queryRow, queryRows, type Database } from '#libs/database/sql.js';

export const auditedActions = [
  'app.add',
  'app.remove',
  'creation.approve',
  'creation.dismiss-reports',
  'creation.hide',
  'creation.restore',
  'creation.reveal',
  'creation.takedown',
  'files.export',
  'files.import',
  'job.cancel',
  'job.retry',
  'job.reveal',
  'key.revoke',
  'queue.drain',
  'queue.open-board',
  'queue.pause',
  'queue.resume',
  'secret.re-encrypt',
  'user.credits',
  'user.delete',
  'user.files-deleted',
  'user.export',
  'user.limits',
  'user.password-link',
  'user.plan',
  'user.remove-two-factor',
  'user.role',
  'user.sign-out',
  'user.suspend',
  'user.unsuspend',
] as const;
export type AuditedAction = (typeof auditedActions)[number];

/** Who acts: a user of the admin page, or the name that a command was given. */
export interface OperatorIdentity {
  name: string;
  userId?: string;
}

export interface AuditEntry {
  operator: OperatorIdentity;
  action: AuditedAction;
  /** Id of the user, job, queue, creation, key or app that was changed, or the folder of files. */
  target: string;
  reason?: string | null | undefined;
  details?: Record<string, unknown>;
  idempotencyKey?: string | undefined;
}

/** Adds an entry. Call it in the transaction of the change, if there is one. */
export const addAuditEntry = (database: Database, entry: AuditEntry): Promise<void> =>
  addAuditEntries(database, [entry]);

/** Like {@link addAuditEntry}, for many entries at once. */
export async function addAuditEntries(database: Database, entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await database.getRepository(AuditEntryEntity).insert(
    entries.map(({ operator, action, target, reason = null, details = {}, idempotencyKey }) => {
      // Names can change, so the id is kept too.
      const stored = { ...details, ...(operator.userId !== undefined && { operatorId: operator.userId }) };
      return { operator: operator.name, action, target, reason, details: stored, idempotencyKey };
    }),
  );
}

/** True if another request with the same target and key has its entry already. */
export const isKeyTaken = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { constraint?: string }).constraint === 'audit_log_idempotency';

/** Details of the act that a request with this key did. Null if there was none. */
export async function findAct(
  database: Database,
  target: string,
  idempotencyKey: string,
): Promise<Record<string, unknown> | null> {
  const entry = await database.getRepository(AuditEntryEntity).findOneBy({ target, idempotencyKey });
  return entry && entry.details;
}

interface AuditQuery extends AuditFilter {
  /** Only entries with a lower id. */
  before?: number | undefined;
  limit: number;
}

const entrySchema = auditEntrySchema.extend({ id: z.coerce.number(), at: isoTime });

const CONDITION = `($1::text IS NULL OR position(lower($1) IN lower(operator)) > 0)
  AND ($2::text IS NULL OR starts_with(action, $2))
  AND ($3::text IS NULL OR target = $3 OR details ->> 'userId' = $3)
  AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)`;
const parametersOf = ({ operator, action, target, from, to }: AuditFilter) => [
  ...[operator ?? null, action ?? null, target ?? null],
  ...[from ?? null, to ?? null],
];

/** The newest entries first. */
export const readAuditLog = (database: Database, { before, limit, ...filter }: AuditQuery) =>
  queryRows(
    database,
    entrySchema,
    `SELECT * FROM audit_log WHERE ${CONDITION} AND ($6::bigint IS NULL OR id < $6) ORDER BY id DESC LIMIT $7`,
    [...parametersOf(filter), before ?? null, limit],
  );

/** The act on a queue or a user that cancelled their waiting jobs at this time. */
export const findCancellingAct = (
  database: Database,
  { queue, userId, finishedAt }: { queue: string; userId: string; finishedAt: string },
) =>
  queryRow(
    database,
    entrySchema,
    `SELECT * FROM audit_log WHERE target IN ($1, $2) AND action IN ('queue.drain', 'user.suspend')
       AND details ->> 'finishedAt' = $3`,
    [queue, userId, finishedAt],
  );

const CSV_BATCH = 1_000;
const CSV_COLUMNS = ['id', 'at', 'operator', 'action', 'target', 'reason', 'details'] as const;

/** The log as CSV (RFC 4180), the oldest entries first, read in parts. */
export async function* auditLogAsCsv(database: Database, filter: AuditFilter): AsyncGenerator<string> {
  yield `${CSV_COLUMNS.join(',')}\r\n`;
  for (let after = 0; ;) {
    const entries = await queryRows(
      database,
      entrySchema,
      `SELECT * FROM audit_log WHERE ${CONDITION} AND id > $6 ORDER BY id LIMIT ${CSV_BATCH}`,
      [...parametersOf(filter), after],
    );
    const last = entries.at(-1);
    if (!last) return;
    yield entries
      .map((entry) => `${CSV_COLUMNS.map((column) => csvValue(entry[column])).join(',')}\r\n`)
      .join('');
    after = last.id;
  }
}

/** Quoted; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvValue(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
}
