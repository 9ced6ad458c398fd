import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What progress is measured or estimated by, what priority gave a job, and the previews of running jobs. */
export class ProgressAndPreviews1700000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE jobs
        ADD COLUMN measure jsonb,
        ADD COLUMN expected_from real,
        ADD COLUMN expected_to real,
        ADD COLUMN engine text,
        ADD COLUMN size integer NOT NULL DEFAULT 0,
        ADD COLUMN went_ahead_of integer NOT NULL DEFAULT 0,
        ADD COLUMN preview_index integer`);
    await runner.query(`
      CREATE TABLE job_previews (
        job_id uuid PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
        attempt integer NOT NULL,
        index integer NOT NULL,
        image bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now())`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE job_previews`);
    await runner.query(`
      ALTER TABLE jobs
        DROP COLUMN measure, DROP COLUMN expected_from, DROP COLUMN expected_to, DROP COLUMN engine,
        DROP COLUMN size, DROP COLUMN went_ahead_of, DROP COLUMN preview_index`);
  }
}
