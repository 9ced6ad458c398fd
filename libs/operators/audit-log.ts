import { z } from 'zod';
import { AuditEntryEntity } from '#libs/database/entities/audit-log.js';
import { queryRows, type Database } from '#libs/database/sql.js';

export const auditedActions = [
  'app.add',
  'app.remove',
  'creation.restore',
  'creation.takedown',
  'job.cancel',
  'job.retry',
  'key.revoke',
  'queue.drain',
  'queue.pause',
  'queue.resume',
  'secret.re-encrypt',
  'user.credits',
  'user.delete',
  'user.export',
  'user.password-link',
  'user.plan',
  'user.remove-two-factor',
  'user.role',
  'user.sign-out',
  'user.suspend',
  'user.unsuspend',
] as const;
export type AuditedAction = (typeof auditedActions)[number];

export interface AuditEntry {
  operator: string;
  action: AuditedAction;
  /** Id of the user, job, queue, creation, key or app that was changed. */
  target: string;
  reason?: string | null;
  details?: Record<string, unknown>;
}

/** Adds an entry. Call it in the transaction of the change, if there is one. */
export async function addAuditEntry(
  database: Database,
  { operator, action, target, reason = null, details = {} }: AuditEntry,
): Promise<void> {
  await database
    .getRepository(AuditEntryEntity)
    .insert({ operator, action, target, reason, details: details as object });
}

export interface AuditFilter {
  operator?: string;
  action?: AuditedAction;
  target?: string;
  limit: number;
}

const entrySchema = z.object({
  id: z.coerce.number(),
  at: z.date().transform((date) => date.toISOString()),
  operator: z.string(),
  action: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});

/** The newest entries first. */
export const readAuditLog = (database: Database, { operator, action, target, limit }: AuditFilter) =>
  queryRows(
    database,
    entrySchema,
    `SELECT * FROM audit_log
     WHERE ($1::text IS NULL OR operator = $1) AND ($2::text IS NULL OR action = $2)
       AND ($3::text IS NULL OR target = $3)
     ORDER BY id DESC LIMIT $4`,
    [operator ?? null, action ?? null, target ?? null, limit],
  );
