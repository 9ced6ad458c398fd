import { queryColumns, type Database } from '#libs/database/sql.js';
import { CachedAnswerEntity } from '#libs/database/entities/jobs.js';

/** Whose answer it is: one user's, for one tool, under a key that names all that it follows from. */
export type AnswerKey = Pick<CachedAnswerEntity, 'userId' | 'tool' | 'key'>;

/**
 * Keeps the first answer to a question, so that asking again gives the same one. An answer is deleted with its user, and
 * with the creation of a job that used it.
 */
export class AnswerCache {
  constructor(private readonly database: Database) {}

  /** The answer that was stored first; without one, that of `make`, which is then stored unless another came first. */
  async once<Answer>(
    { userId, tool, key }: AnswerKey,
    jobId: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const known = await this.query(
      `UPDATE answer_cache SET ${ADD_JOB} WHERE user_id = $1 AND tool = $2 AND key = $3 RETURNING answer`,
      [userId, tool, key, jobId],
    );
    if (known) return known.answer as Answer;
    const answer = await make();
    // As it was stored, so that the first run and every later one see the same.
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
