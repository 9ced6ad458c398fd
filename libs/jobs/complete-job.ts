import type { EngineName } from '#libs/contract/engine.js';
import type { CreationEntity } from '#libs/database/entities/creations.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryPreparedEntities, queryPreparedEntity, type Database } from '#libs/database/sql.js';
import { gatherTransactions } from './gather-transactions.js';
import { deletePreviewOf, NEXT_REVISION, type Attempt } from './job-transitions.js';

type NewCreation = Pick<
  CreationEntity,
  | 'id'
  | 'type'
  | 'prompt'
  | 'displayName'
  | 'content'
  | 'engine'
  | 'model'
  | 'published'
  | 'publishedName'
  | 'settings'
  | 'madeFrom'
>;

/** A successful attempt with its result and creation. */
export interface Completion extends Attempt {
  result: Record<string, unknown> & { engine: EngineName };
  creation: NewCreation | null;
}

/**
 * Ends attempts, stores their results and creations, and deletes their inputs. The engine is also stored here, since a
 * short job ends before its first progress write. A deleted source creation is stored as null.
 */
const completeJobs = (ofOthers: '' | 'SKIP LOCKED') => (columns: string) => `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS given ("jobId" uuid, attempt integer, result jsonb, creation jsonb)
  ), own AS (
    SELECT given.* FROM jobs JOIN given ON id = "jobId" AND attempts = attempt AND status = 'running'
    FOR NO KEY UPDATE OF jobs ${ofOthers}
  ), completed AS (
    UPDATE jobs SET status = 'succeeded', result = own.result, engine = coalesce(engine, own.result ->> 'engine'),
      input = NULL, partial = '', percent = 100, stage = 'done', stage_message = 'Done', measure = NULL,
      preview_index = NULL, lease_until = NULL, finished_at = now(), ${NEXT_REVISION}
    FROM own WHERE id = own."jobId" AND attempts = own.attempt AND status = 'running'
    RETURNING jobs.*, own.creation
  ), preview AS (${deletePreviewOf('completed')}), made AS (
    SELECT completed.id AS job_id, user_id, tool, creation.* FROM completed CROSS JOIN jsonb_to_record(creation)
      AS creation (id uuid, type text, prompt text, "displayName" text, content text, engine text, model text, published boolean,
        "publishedName" text, settings jsonb, "madeFrom" uuid)
    WHERE creation.id IS NOT NULL
  ), source AS (
    SELECT id FROM creations WHERE id IN (SELECT "madeFrom" FROM made) FOR KEY SHARE
  ), stored AS (
    INSERT INTO creations (id, user_id, job_id, tool, type, prompt, display_name, content, engine, model, published, published_name,
      settings, made_from)
    SELECT made.id, user_id, job_id, tool, type, prompt, "displayName", content, engine, model, published, "publishedName",
      settings, source.id
    FROM made LEFT JOIN source ON source.id = "madeFrom")
  SELECT ${columns} FROM completed`;

const alone = { name: 'complete_job', text: completeJobs('') };
const together = { name: 'complete_jobs', text: completeJobs('SKIP LOCKED') };

/** Waits if another transaction locks the job. @returns undefined if the attempt is no longer the job's current one */
export const completeJob = (database: Database, completion: Completion): Promise<JobEntity | undefined> =>
  queryPreparedEntity(database, JobEntity, alone, [JSON.stringify([completion])]);

/** Limits: attempts per transaction (`atMost`) and concurrent transactions (`groups`). */
const TOGETHER = { atMost: 8, groups: 2 };

/** Concurrent completions share a transaction. A locked or failed completion does not delay or fail the others. */
export const completeTogetherWithOthers = (
  database: Database,
): ((completion: Completion) => Promise<JobEntity | undefined>) =>
  gatherTransactions(
    TOGETHER,
    async (completions) => {
      const [first, ...others] = completions;
      if (first && others.length === 0) return [await completeJob(database, first)];
      const jobs = await queryPreparedEntities(database, JobEntity, together, [JSON.stringify(completions)]);
      const unclaimed = new Map(jobs.map((job) => [job.id, job]));
      return completions.map(({ jobId }) => {
        const job = unclaimed.get(jobId);
        // Only one of two completions of the same attempt gets the job; the second is completed alone and finds an
        // ended job.
        unclaimed.delete(jobId);
        return job ?? null;
      });
    },
    (completion) => completeJob(database, completion),
  );
