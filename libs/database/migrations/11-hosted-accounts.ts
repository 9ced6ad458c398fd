import { statements } from './migration.js';

/** What we know of people at a hosted account provider (Clerk), and the profile pictures of local accounts. */
export class HostedAccounts1700000000011 extends statements(
  `CREATE TABLE clerk_users (
    person_id text PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    -- When Clerk made what we last took of profile and metadata; null: not read yet.
    profile_at timestamptz(3),
    -- The plan by the newest token seen. It counts while no event of billing is newer.
    claimed_premium boolean NOT NULL DEFAULT false,
    claimed_at timestamptz(3),
    -- What the metadata say besides: private plan, public role.
    granted_premium boolean NOT NULL DEFAULT false,
    granted_admin boolean NOT NULL DEFAULT false,
    -- free_usage as Clerk has it.
    told_usage integer,
    -- When Clerk may be asked again about this person, and the failures in a row so far.
    run_after timestamptz NOT NULL DEFAULT now(),
    failures integer NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX clerk_users_unread ON clerk_users (run_after) WHERE profile_at IS NULL`,
  `CREATE TABLE clerk_subscription_items (
    id text PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    plan text NOT NULL,
    status text NOT NULL,
    period_end timestamptz(3),
    changed_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX clerk_subscription_items_person ON clerk_subscription_items (person_id)`,
  // The deliveries that were dealt with, by their svix-id.
  `CREATE TABLE clerk_events (
    id text PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX clerk_events_age ON clerk_events (received_at)`,
  // Who was removed: an event or a token that comes late must not bring them back. The hash alone stays, once Clerk
  // has deleted the user too.
  `CREATE TABLE clerk_removals (
    id_hash text PRIMARY KEY,
    user_id text,
    removed_at timestamptz NOT NULL DEFAULT now(),
    run_after timestamptz NOT NULL DEFAULT now(),
    failures integer NOT NULL DEFAULT 0
  )`,
  `ALTER TABLE objects
    DROP CONSTRAINT IF EXISTS objects_kind_check,
    DROP CONSTRAINT IF EXISTS objects_kind,
    ADD CONSTRAINT objects_kind CHECK (kind IN ('upload', 'image', 'thumbnail', 'document', 'picture'))`,
  `ALTER TABLE people ADD COLUMN picture_key text`,
  `CREATE INDEX people_picture ON people (picture_key) WHERE picture_key IS NOT NULL`,
  // What retention looks for.
  `CREATE INDEX "auth_sessions_expiresAt_idx" ON auth_sessions ("expiresAt")`,
) {}
