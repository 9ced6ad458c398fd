import { statements } from './migration.js';

/** Links by which users share their texts. */
export class CreationShares1700000000033 extends statements(
  `CREATE TABLE creation_shares (
    token text PRIMARY KEY,
    creation_id uuid NOT NULL UNIQUE REFERENCES creations (id) ON DELETE CASCADE,
    content text,
    created_at timestamptz(3) NOT NULL DEFAULT now())`,
) {}
