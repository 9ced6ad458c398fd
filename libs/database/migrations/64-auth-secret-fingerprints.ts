import { statements } from './migration.js';

/** Fingerprints of AUTH_SECRET, so that a changed one ends all sessions. */
export class AuthSecretFingerprints1700000000064 extends statements(
  `CREATE TABLE auth_secret_fingerprints (
  fingerprint text PRIMARY KEY,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp()
)`,
) {}
