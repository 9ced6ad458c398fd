import { statements } from './migration.js';

/** Decisions about what users publish, and reports of published pictures. */
export class Moderation1700000000053 extends statements(
  `CREATE TABLE creation_moderations (
  creation_id uuid PRIMARY KEY REFERENCES creations ON DELETE CASCADE,
  state text NOT NULL,
  cause text NOT NULL,
  reason text,
  is_wanted boolean NOT NULL,
  content_hash text NOT NULL,
  appeal text,
  appealed_at timestamptz(3),
  answered_at timestamptz(3),
  is_notice_due boolean NOT NULL DEFAULT false,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT creation_moderations_state CHECK (state IN ('approved', 'waiting', 'refused', 'hidden'))
)`,
  `CREATE INDEX creation_moderations_waiting ON creation_moderations (changed_at) WHERE state = 'waiting'`,
  `CREATE INDEX creation_moderations_appeals ON creation_moderations (appealed_at) WHERE appealed_at IS NOT NULL AND answered_at IS NULL`,
  `CREATE INDEX creation_moderations_notices ON creation_moderations (changed_at) WHERE is_notice_due`,
  `CREATE TABLE creation_reports (
  creation_id uuid NOT NULL REFERENCES creations ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  reason text NOT NULL,
  words text NOT NULL DEFAULT '',
  counts boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  closed_at timestamptz(3),
  PRIMARY KEY (creation_id, user_id)
)`,
  `CREATE INDEX creation_reports_user ON creation_reports (user_id, created_at)`,
  `CREATE INDEX creation_reports_open ON creation_reports (creation_id) WHERE closed_at IS NULL`,
) {}
