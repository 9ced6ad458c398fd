import { queryColumns, type Database } from '#libs/database/sql.js';
import { CachedAnswerEntity } from '#libs/database/entities/jobs.js';

/** Identifies an answer. `key` must include everything that the answer depends on. */
export type AnswerKey = Pick<CachedAnswerEntity, 'userId' | 'tool' | 'key'>;

/**
 * Caches the first answer to each key per user and tool, so that repeated questions get the same answer. An answer is
 * deleted with its user, and with the creation of any job that used it.
 */
export class AnswerCache {
  constructor(private readonly database: Database) {}

  /**
   * Returns the cached answer. If there is none, calls `make` and stores its answer. If another job stored an answer in
   * the meantime, returns that answer.
   */
  async once<Answer>(
    { userId, tool, key }: AnswerKey,
    jobId: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const cached = await this.query(
      `UPDATE answer_cache SET ${ADD_JOB} WHERE user_id = $1 AND tool = $2 AND key = $3 RETURNING answer`,
      [userId, tool, key, jobId],
    );
    if (cached) return cached.answer as Answer;
    const answer = await make();
    // Return the stored value, not the local one: JSON and a concurrent job may have changed the answer.
    const stored = await this.query(
      `INSERT INTO answer_cache (user_id, tool, key, job_ids, answer) VALUES ($1, $2, $3, ARRAY[$4::uuid], $5)
       ON CONFLICT (user_id, tool, key) DO UPDATE SET ${ADD_JOB} RETURNING answer`,
      [userId, tool, key, jobId, JSON.stringify(answer)],
    );
    return stored ? (stored.answer as Answer) : answer;
  }

  private async query(text: string, parameters: unknown[]) {
    return (await queryColumns(this.database, CachedAnswerEntity, ['answer'], text, parameters))[0];
  }
}

const ADD_JOB = `job_ids = CASE WHEN $4::uuid = ANY (answer_cache.job_ids) THEN answer_cache.job_ids
  ELSE array_append(answer_cache.job_ids, $4::uuid) END`;
