import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import { addAuditEntry, findAct, type AuditedAction, type OperatorIdentity } from '#libs/audit/audit-log.js';
import { AppError } from '#libs/contract/errors.js';
import type { Database, Transaction } from '#libs/database/sql.js';
import type { CancelledJob } from '#libs/jobs/lifecycle.js';
import { idempotencyMismatch } from '#libs/jobs/idempotency.js';

/** Who acts, and why. */
export interface Act {
  operator: OperatorIdentity;
  reason?: string | undefined;
  /** Credits are given and jobs are retried once for each key and target. */
  idempotencyKey?: string | undefined;
}

export type Details = Record<string, unknown>;

/** Finds the user to whom the target of a refused act belongs, so that the user's page lists the act. */
export type FindOwner = () => Promise<{ userId: string } | null>;

/**
 * What operators change, by the command line or the admin page. Each act is in the audit log, also one that was refused with an
 * AppError.
 */
export class AuditedActions {
  constructor(protected readonly dataSource: DataSource) {}

  /** Runs a change of rows and adds its entry to the audit log, in one transaction. */
  async change<T>(
    act: Act,
    action: AuditedAction,
    target: string,
    work: (transaction: Transaction) => Promise<T>,
    details: (changed: T) => Details = () => ({}),
    findOwner?: FindOwner,
  ): Promise<T> {
    const changeAndRecord = () =>
      this.dataSource.transaction(async (transaction) => {
        const changed = await work(transaction);
        await record(transaction, act, action, target, details(changed));
        return changed;
      });
    return this.recordRefusal(act, action, target, changeAndRecord, findOwner);
  }

  protected async recordRefusal<T>(
    act: Act,
    action: AuditedAction,
    target: string,
    work: () => Promise<T>,
    findOwner?: FindOwner,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const owner = await findOwner?.();
        const details = { refused: error.code, ...(owner && { userId: owner.userId }) };
        await record(this.dataSource, act, action, target, details);
      }
      throw error;
    }
  }
}

/** Details of an act that cancelled all waiting jobs: by their end, a job finds the act. */
export const cancelledDetails = (jobs: CancelledJob[]): Details => ({
  cancelled: jobs.length,
  ...(jobs[0] && { finishedAt: jobs[0].finishedAt }),
});

/** Details of an act: `changed: false` if everything was already as the operator wanted. */
export const unlessChanged = (changed: boolean): Details => (changed ? {} : { changed });

export const record = (
  database: Database,
  { operator, reason }: Act,
  action: AuditedAction,
  target: string,
  details: Details = {},
  idempotencyKey?: string,
): Promise<void> =>
  addAuditEntry(database, { operator, action, target, reason: reason ?? null, details, idempotencyKey });

/**
 * Details of the act that an earlier request with the same key did. Null if there was none.
 * @throws AppError IDEMPOTENCY_MISMATCH if its details are others
 */
export async function findRepeated(
  database: Database,
  { idempotencyKey }: Act,
  target: string,
  expected: Details,
): Promise<Details | null> {
  if (idempotencyKey === undefined) return null;
  const details = await findAct(database, target, idempotencyKey);
  if (details && Object.keys(expected).some((name) => !isDeepStrictEqual(details[name], expected[name])))
    throw idempotencyMismatch();
  return details;
}
