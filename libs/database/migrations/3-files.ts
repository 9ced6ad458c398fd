import { statements } from './migration.js';

/** The files of people: one row for each object in the store, written before its bytes. */
export class Files1700000000003 extends statements(
  `CREATE TABLE objects (
    key text PRIMARY KEY CHECK (key ~ '^[A-Za-z0-9_-]{43}$'),
    -- Null once the account is gone: the row then only says which bytes are still to be removed.
    person_id text REFERENCES people ON DELETE SET NULL,
    kind text NOT NULL CHECK (kind IN ('upload', 'image', 'thumbnail')),
    type text NOT NULL,
    bytes integer NOT NULL CHECK (bytes >= 0),
    sha256 text NOT NULL,
    name text NOT NULL,
    job_id uuid,
    creation_id uuid REFERENCES creations ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Null while the bytes are on their way to the store.
    stored_at timestamptz,
    -- Set when nobody may read the object any more; its bytes go next, then the row.
    removed_at timestamptz
  )`,
  `CREATE INDEX objects_person ON objects (person_id)`,
  `CREATE INDEX objects_creation ON objects (creation_id) WHERE creation_id IS NOT NULL`,
  `CREATE INDEX objects_without_creation ON objects (created_at) WHERE creation_id IS NULL`,
  `CREATE INDEX objects_removed ON objects (removed_at) WHERE removed_at IS NOT NULL`,
  // The key of each file field's object.
  `ALTER TABLE jobs ADD COLUMN files jsonb NOT NULL DEFAULT '{}'`,
  `CREATE INDEX jobs_with_files ON jobs (id)
  WHERE files <> '{}' AND input IS NOT NULL AND status <> 'succeeded'`,
) {}
