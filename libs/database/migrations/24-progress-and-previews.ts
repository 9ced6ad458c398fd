import { statements } from './migration.js';

/** What progress is measured or estimated by, what priority gave a job, and the previews of running jobs. */
export class ProgressAndPreviews1700000000024 extends statements(
  `ALTER TABLE jobs
    ADD COLUMN measure jsonb,
    ADD COLUMN expected_from real,
    ADD COLUMN expected_to real,
    ADD COLUMN engine text,
    ADD COLUMN size integer NOT NULL DEFAULT 0,
    ADD COLUMN went_ahead_of integer NOT NULL DEFAULT 0,
    ADD COLUMN preview_index integer`,
  `CREATE TABLE job_previews (
    job_id uuid PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    index integer NOT NULL,
    image bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
) {}
