import { statements } from './migration.js';

const KINDS = `'upload', 'image', 'thumbnail', 'document', 'picture'`;

/** Versions of creations. The files of those that are not shown have a kind of their own, which older programs never read. */
export class CreationVersions1700000000023 extends statements(
  `CREATE TABLE creation_versions (
    id uuid PRIMARY KEY,
    creation_id uuid NOT NULL REFERENCES creations (id) ON DELETE CASCADE,
    number integer NOT NULL,
    label text NOT NULL,
    is_current boolean NOT NULL,
    is_cut_out boolean NOT NULL,
    content text NOT NULL,
    thumbnail_key text,
    media_type text,
    width integer,
    height integer,
    idempotency_key text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT creation_versions_number UNIQUE (creation_id, number))`,
  `CREATE UNIQUE INDEX creation_versions_current ON creation_versions (creation_id) WHERE is_current`,
  `ALTER TABLE objects DROP CONSTRAINT objects_kind`,
  // Migration 27 validates it.
  `ALTER TABLE objects ADD CONSTRAINT objects_kind CHECK (kind IN (${KINDS}, 'version')) NOT VALID`,
) {}
