import { statements } from './migration.js';

/** The check of a picture before it is published may have no job, and its owner may unpublish the picture meanwhile. */
export class Publishing1700000000061 extends statements(
  `ALTER TABLE provider_calls ALTER COLUMN job_id DROP NOT NULL, ALTER COLUMN attempt DROP NOT NULL`,
  `ALTER TABLE creations ADD COLUMN withdrawals integer NOT NULL DEFAULT 0`,
) {}
