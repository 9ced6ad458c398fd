import { statements } from './migration.js';

/** Texts that their users edit: revisions of creations, and versions with names and sessions of editing. */
export class TextVersions1700000000029 extends statements(
  // Not "revision": older programs join creations with jobs, which have a column of that name.
  `ALTER TABLE creations ADD COLUMN content_revision integer NOT NULL DEFAULT 1`,
  `ALTER TABLE creation_versions
  ADD COLUMN is_named boolean NOT NULL DEFAULT false,
  ADD COLUMN session uuid`,
) {}
