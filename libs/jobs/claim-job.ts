import { z } from 'zod';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { entityFrom, isDatabaseUnavailable, queryPrepared, type Database } from '#libs/database/sql.js';
import { gather } from '#libs/resilience/gather.js';

const row = z.record(z.string(), z.unknown());

/** Answer of the database function `claim_job`. */
const answerSchema = z.object({
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('claimed'), job: row }),
    // The job went behind the next of another user, since its user holds a share of the slots.
    z.object({ kind: z.literal('yielded'), job: row }),
    // Seconds, by the database's clock, after which a claim may succeed; negative if only other jobs prevent the claim.
    z.object({ kind: z.literal('later'), seconds: z.number() }),
    // The job has ended, or its row was deleted.
    z.object({ kind: z.literal('ended') }),
    // Another transaction holds a lock, and the call did not wait.
    z.object({ kind: z.literal('locked') }),
  ]),
});

export type ClaimAnswer =
  { kind: 'claimed' | 'yielded'; job: JobEntity } | { kind: 'later'; seconds: number } | { kind: 'ended' };

interface ClaimRequest {
  jobId: string;
  leaseSeconds: number;
}

/** Claims jobs in one transaction. It waits for locks only if it claims a single job. */
async function claimTogether(
  database: Database,
  requests: ClaimRequest[],
): Promise<(ClaimAnswer | { kind: 'locked' })[]> {
  const rows = await queryPrepared(
    database,
    answerSchema,
    {
      name: 'claim_job',
      text: `SELECT claim_job((given ->> 'jobId')::uuid, (given ->> 'leaseSeconds')::float, $2::boolean) AS answer
        FROM jsonb_array_elements($1::jsonb) AS requests (given)`,
    },
    [JSON.stringify(requests), requests.length === 1],
  );
  return rows.map(({ answer }) =>
    'job' in answer ? { kind: answer.kind, job: entityFrom(database, JobEntity, answer.job) } : answer,
  );
}

/** Jobs in one transaction, and concurrent transactions. */
const TOGETHER = { atMost: 8, groups: 2 };

/**
 * Starts an attempt of a job within its user's share of the slots. Claims of the same moment share a transaction; no claim
 * waits for another or fails with it.
 */
export function claimTogetherWithOthers(database: Database): (request: ClaimRequest) => Promise<ClaimAnswer> {
  const claim = gather(TOGETHER, async (requests: ClaimRequest[]) => {
    try {
      return await claimTogether(database, requests);
    } catch (error) {
      if (requests.length === 1 || isDatabaseUnavailable(error)) throw error;
      return requests.map(() => ({ kind: 'locked' as const }));
    }
  });
  return async (request) => {
    const answer = await claim(request);
    if (answer.kind !== 'locked') return answer;
    const [alone] = await claimTogether(database, [request]);
    if (!alone || alone.kind === 'locked') throw new Error('A claim that waits found its job locked.');
    return alone;
  };
}
