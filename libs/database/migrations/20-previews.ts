import { statements } from './migration.js';

/** Previews that requests wait for. */
export class Previews1700000000020 extends statements(
  `CREATE TABLE previews (
    id uuid PRIMARY KEY,
    user_id text NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    input jsonb NOT NULL,
    file_key text,
    started_at timestamptz,
    answer jsonb,
    created_at timestamptz NOT NULL DEFAULT now())`,
) {}
