import { z } from 'zod';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { entityFrom, jsonRow, queryPrepared, type Database } from '#libs/database/sql.js';
import { programId } from '#libs/config/program-id.js';
import { gatherTransactions } from './gather-transactions.js';

/** Result row of the database function `claim_job`. */
const answerSchema = z.object({
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('claimed'), job: jsonRow }),
    // `yielded`: the user already holds a full share of the slots, so the job moved behind the next job of another
    // user.
    z.object({ kind: z.literal('yielded'), job: jsonRow }),
    // `later`: seconds until a claim may succeed, by the database's clock. Negative if the job waits only for other
    // jobs. `isReserved`: the free slots are reserved for standard jobs; `next`: the first of these, if one waits.
    z.object({
      kind: z.literal('later'),
      seconds: z.number(),
      isReserved: z.literal(true).optional(),
      next: jsonRow.optional(),
    }),
    // `ended`: the job has ended or was deleted.
    z.object({ kind: z.literal('ended') }),
    // `locked`: another transaction holds a lock, and the call was made without waiting for locks.
    z.object({ kind: z.literal('locked') }),
  ]),
});

export type ClaimAnswer =
  | { kind: 'claimed' | 'yielded'; job: JobEntity }
  | { kind: 'later'; seconds: number; isReserved?: true; next?: JobEntity }
  | { kind: 'ended' };

interface ClaimRequest {
  jobId: string;
  leaseSeconds: number;
}

/** Claims jobs in one transaction. A single claim waits for locks; several claims return null instead. */
async function claimTogether(database: Database, requests: ClaimRequest[]): Promise<(ClaimAnswer | null)[]> {
  const rows = await queryPrepared(
    database,
    answerSchema,
    {
      name: 'claim_job',
      text: `SELECT claim_job((given ->> 'jobId')::uuid, (given ->> 'leaseSeconds')::float, $2::boolean) AS answer
        FROM (SELECT set_config('pressroom.worker', $3, true)) AS worker, jsonb_array_elements($1::jsonb) AS requests (given)`,
    },
    [JSON.stringify(requests), requests.length === 1, programId],
  );
  const toJob = (found: z.infer<typeof jsonRow>) => entityFrom(database, JobEntity, found);
  return rows.map(({ answer }) => {
    if ('job' in answer) return { kind: answer.kind, job: toJob(answer.job) };
    if (answer.kind === 'locked') return null;
    return answer.kind === 'later' ? { ...answer, next: answer.next && toJob(answer.next) } : answer;
  });
}

/** Limits: claims per transaction (`atMost`) and concurrent transactions (`groups`). */
const TOGETHER = { atMost: 8, groups: 2 };

/**
 * Returns a function that claims a job for a new attempt, if its user has a share of the slots left. Concurrent claims
 * share a transaction; a locked or failed claim does not delay or fail the others.
 */
export const claimTogetherWithOthers = (
  database: Database,
): ((request: ClaimRequest) => Promise<ClaimAnswer>) =>
  gatherTransactions(
    TOGETHER,
    (requests) => claimTogether(database, requests),
    async (request) => {
      const [answer] = await claimTogether(database, [request]);
      if (!answer) throw new Error('A claim that waits found its job locked.');
      return answer;
    },
  );
