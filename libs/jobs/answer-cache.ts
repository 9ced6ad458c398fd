import type { Repository } from 'typeorm';
import type { Database } from '#libs/database/sql.js';
import { CachedAnswerEntity } from '#libs/database/entities/jobs.js';

/** Whose answer it is: one user's, for one tool, under a key that names all that it follows from. */
export type AnswerKey = Pick<CachedAnswerEntity, 'userId' | 'tool' | 'key'>;

/** Keeps the first answer to a question, so that asking again gives the same one. They go with their user. */
export class AnswerCache {
  private readonly answers: Repository<CachedAnswerEntity>;

  constructor(database: Database) {
    this.answers = database.getRepository(CachedAnswerEntity);
  }

  /** The answer that was stored first; without one, that of `make`, which is then stored unless another came first. */
  async once<Answer>(key: AnswerKey, make: () => Promise<Answer>): Promise<Answer> {
    const known = await this.answers.findOneBy(key);
    if (known) return known.answer as Answer;
    const answer = await make();
    const values = { ...key, answer: answer as object };
    await this.answers.createQueryBuilder().insert().values(values).orIgnore().execute();
    // As it was stored, so that the first run and every later one see the same.
    const stored = await this.answers.findOneBy(key);
    return stored ? (stored.answer as Answer) : answer;
  }
}
