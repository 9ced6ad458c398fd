import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration } from './migration.js';

/** Index for the entries about what belongs to a user, which the page of the user lists. */
export class AuditLogUsers1700000000067 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createConcurrently(runner, { audit_log_user: `audit_log ((details ->> 'userId'), id)` });
  }
}
