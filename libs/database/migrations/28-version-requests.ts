import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The request that saved a version, by which its Idempotency-Key is told from that of another request. */
export class VersionRequests1700000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creation_versions ADD COLUMN request_hash text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creation_versions DROP COLUMN request_hash`);
  }
}
