import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration } from './migration.js';

/** Finds the answers of a webhook, of which the newest are kept. Null for earlier attempts. */
export class WebhookAnswers1700000000069 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_attempts ADD COLUMN IF NOT EXISTS webhook_id uuid`);
    await createConcurrently(runner, {
      webhook_attempts_answers: `webhook_attempts (webhook_id, sent_at) WHERE response <> ''`,
    });
  }
}
