import { statements } from './migration.js';

/** What runs found out first, for work that must come out the same when it is repeated. */
export class Ats1700000000006 extends statements(
  `CREATE TABLE first_answers (
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    tool text NOT NULL,
    key text NOT NULL,
    answer jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person_id, tool, key)
  )`,
) {}
