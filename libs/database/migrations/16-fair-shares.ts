import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lane of jobs that yield to others, and the users who are slowed down. */
export class FairShares1700000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE jobs DROP CONSTRAINT jobs_lane_check`);
    await runner.query(`ALTER TABLE jobs ADD CONSTRAINT jobs_lane_check CHECK (lane BETWEEN 0 AND 3)`);
    await runner.query(`
      CREATE TABLE user_slowdowns (
        user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        failures double precision NOT NULL,
        updated_at timestamptz NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE user_slowdowns`);
    await runner.query(
      `UPDATE jobs SET lane = CASE priority WHEN 'premium' THEN 1 ELSE 2 END WHERE lane = 3`,
    );
    await runner.query(`ALTER TABLE jobs DROP CONSTRAINT jobs_lane_check`);
    await runner.query(`ALTER TABLE jobs ADD CONSTRAINT jobs_lane_check CHECK (lane BETWEEN 0 AND 2)`);
  }
}
