import { statements } from './migration.js';

/** Guessed codes of authenticator apps, of which their owners are told. */
export class GuessedCodes1700000000065 extends statements(
  `CREATE TABLE auth_guessed_codes (
  "userId" text PRIMARY KEY REFERENCES auth_users ("id") ON DELETE CASCADE,
  "at" timestamptz NOT NULL DEFAULT now(),
  "network" text NOT NULL
)`,
) {}
