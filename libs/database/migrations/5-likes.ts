import { statements } from './migration.js';

/** Likes of published images: one row for each person and creation, gone with either. */
export class Likes1700000000005 extends statements(
  `CREATE TABLE creation_likes (
    creation_id uuid NOT NULL REFERENCES creations ON DELETE CASCADE,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (creation_id, person_id)
  )`,
  `CREATE INDEX creation_likes_person ON creation_likes (person_id)`,
  `CREATE INDEX creations_published ON creations (created_at DESC, id DESC)
  WHERE published AND deleted_at IS NULL AND type = 'image'`,
) {}
