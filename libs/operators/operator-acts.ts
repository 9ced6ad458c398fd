import { z } from 'zod';
import { OperatorActEntity } from '#libs/database/entities/operator-acts.js';
import { queryRows, type Database } from '#libs/database/sql.js';

export const operatorActions = [
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
  'secret.encrypt-again',
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
export type OperatorAction = (typeof operatorActions)[number];

export interface OperatorAct {
  operator: string;
  action: OperatorAction;
  /** Id of what the act is about. */
  target: string;
  reason?: string | null;
  details?: Record<string, unknown>;
}

/** Adds an act to the log. Call it in the transaction of the act, if there is one. */
export async function recordAct(
  database: Database,
  { operator, action, target, reason = null, details = {} }: OperatorAct,
): Promise<void> {
  await database
    .getRepository(OperatorActEntity)
    .insert({ operator, action, target, reason, details: details as object });
}

export interface ActFilter {
  operator?: string;
  action?: OperatorAction;
  target?: string;
  limit: number;
}

const actSchema = z.object({
  id: z.coerce.number(),
  at: z.date().transform((date) => date.toISOString()),
  operator: z.string(),
  action: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});

/** The newest acts first. */
export const readActs = (database: Database, { operator, action, target, limit }: ActFilter) =>
  queryRows(
    database,
    actSchema,
    `SELECT * FROM operator_acts
     WHERE ($1::text IS NULL OR operator = $1) AND ($2::text IS NULL OR action = $2)
       AND ($3::text IS NULL OR target = $3)
     ORDER BY id DESC LIMIT $4`,
    [operator ?? null, action ?? null, target ?? null, limit],
  );
