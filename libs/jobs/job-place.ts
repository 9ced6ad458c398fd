import { z } from 'zod';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Transaction } from '#libs/database/sql.js';

/** A job that was charged before it is submitted, under the id that it will have. */
export const prepaidJobSchema = z.object({
  jobId: z.string(),
  credits: z.number(),
  chargeMonth: z.string().nullable(),
});
export type PrepaidJob = z.infer<typeof prepaidJobSchema>;

/** The job that a place gets: its first, which is prepaid; another that repeats an earlier one; or the one it has. */
export type TakenPlace =
  | { kind: 'first'; prepaid: PrepaidJob }
  | { kind: 'repeat'; repeats: string }
  | { kind: 'taken'; job: JobEntity };

/** The part of a larger run that a job is submitted for, such as a picture of a batch or a step of a flow. */
export interface JobPlace {
  /** The batch that the job belongs to. `isLimited` if its user may have only so many unfinished jobs in batches. */
  batch?: { id: string; isLimited: boolean };
  /** Takes the place in the transaction that stores the job, under the lock of the user's row. */
  take(transaction: Transaction, userId: string): Promise<TakenPlace>;
  /** Gives the place its job, which that transaction stored. @param repeats the place's job before */
  attach(transaction: Transaction, job: JobEntity, repeats: string | undefined): Promise<void>;
}

/** Finds the place of a retried job; undefined if the job has no place of this kind. */
export type FindPlace = (job: Pick<JobEntity, 'id' | 'batchId' | 'flowId'>) => JobPlace | undefined;
