import type { DataSource } from 'typeorm';
import { row, rows } from '#libs/database/sql.js';

/** Whose answer it is: one user's, for one tool, under a key that names all that it follows from. */
export interface AnswerKey {
  userId: string;
  tool: string;
  key: string;
}

/** Keeps the first answer to a question, so that asking again gives the same one. They go with their user. */
export class AnswerCache {
  constructor(private readonly dataSource: DataSource) {}

  /** The answer that was kept first; without one, that of `make`, which is then kept unless another came first. */
  async once<Answer>(key: AnswerKey, make: () => Promise<Answer>): Promise<Answer> {
    const known = await this.find<Answer>(key);
    if (known) return known.answer;
    const { userId, tool, key: name } = key;
    const made = await make();
    await rows(
      this.dataSource,
      `INSERT INTO answer_cache (user_id, tool, key, answer) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [userId, tool, name, JSON.stringify(made)],
    );
    // As it was stored, so that the first run and every later one see the same.
    return (await this.find<Answer>(key))?.answer ?? made;
  }

  private find<Answer>({ userId, tool, key }: AnswerKey): Promise<{ answer: Answer } | undefined> {
    return row<{ answer: Answer }>(
      this.dataSource,
      `SELECT answer FROM answer_cache WHERE user_id = $1 AND tool = $2 AND key = $3`,
      [userId, tool, key],
    );
  }
}
