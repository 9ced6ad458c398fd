import { statements } from './migration.js';

/** What a creation was made from and with, and the jobs that one request started together. Migration 27 adds their indexes. */
export class CreationSources1700000000025 extends statements(
  `ALTER TABLE creations ADD COLUMN settings jsonb,
    ADD COLUMN made_from uuid REFERENCES creations ON DELETE SET NULL`,
  `ALTER TABLE jobs ADD COLUMN group_id uuid`,
) {}
