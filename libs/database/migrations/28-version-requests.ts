import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** The request that saved a version, which detects an Idempotency-Key that another request uses. */
export class VersionRequests1700000000028 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creation_versions ADD COLUMN request_hash text`);
  }
}
