import { statements } from './migration.js';

/** Briefs that users keep under a name. */
export class Voices1700000000036 extends statements(
  `CREATE TABLE voices (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    manner jsonb NOT NULL,
    CONSTRAINT voices_name UNIQUE (user_id, name))`,
) {}
