import { z } from 'zod';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Transaction } from '#libs/database/sql.js';

/** A job whose credits were charged in advance, with the id reserved for it. */
export const prepaidJobSchema = z.object({
  jobId: z.string(),
  credits: z.number(),
  /** Price at the creation of its batch or flow; null if that is of an earlier version. */
  price: z.number().nullable(),
  chargeMonth: z.string().nullable(),
});
export type PrepaidJob = z.infer<typeof prepaidJobSchema>;

/**
 * Result of taking a place: `first` if the place had no job, `repeat` if the new job replaces an earlier one, `taken`
 * if the place already has a job that must be returned instead.
 */
export type TakenPlace =
  | { kind: 'first'; prepaid: PrepaidJob }
  | { kind: 'repeat'; repeats: string }
  | { kind: 'taken'; job: JobEntity };

/** A slot for a job in a batch or flow, such as one picture of a batch or one step of a flow. */
export interface JobPlace {
  /** Batch of the job. If `isLimited`, the user's number of unfinished batch jobs is limited. */
  batch?: { id: string; isLimited: boolean };
  /** Reserves the place. Callers must hold the lock of the user's row, in the transaction that stores the job. */
  take(transaction: Transaction, userId: string): Promise<TakenPlace>;
  /**
   * Links the stored job to the place, in the same transaction as `take`. @param repeats id of the job that the new job
   * replaces
   */
  attach(transaction: Transaction, job: JobEntity, repeats: string | undefined): Promise<void>;
}

/** Finds the place of a job to retry. Undefined if the job has no place of this kind. */
export type FindPlace = (job: Pick<JobEntity, 'id' | 'batchId' | 'flowId'>) => JobPlace | undefined;
