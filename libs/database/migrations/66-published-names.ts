import type { QueryRunner } from 'typeorm';
import { Migration, restoreTimeLimits } from './migration.js';

/** Names of users at the check before a publication, since the community shows what was checked. */
export class PublishedNames1700000000066 extends Migration {
  /** Without a transaction, nobody waits for the column's lock while all rows are updated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creations ADD COLUMN IF NOT EXISTS published_name text`);
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(
      `UPDATE creations SET published_name = users.name FROM users
       WHERE users.id = user_id AND published AND published_author IS NULL AND published_name IS NULL`,
    );
    await restoreTimeLimits(runner);
  }
}
