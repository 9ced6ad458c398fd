import { statements } from './migration.js';

/** Passkeys, authenticator apps and recovery codes of local accounts, as the plugins of better-auth need them. */
export class SecondFactors1700000000018 extends statements(
  `ALTER TABLE auth_users ADD COLUMN "twoFactorEnabled" boolean DEFAULT false`,
  `ALTER TABLE auth_sessions ADD COLUMN "method" text`,
  `CREATE TABLE auth_two_factors (
    "id" text NOT NULL PRIMARY KEY,
    "secret" text NOT NULL,
    "backupCodes" text NOT NULL,
    "userId" text NOT NULL UNIQUE REFERENCES auth_users ("id") ON DELETE CASCADE,
    "verified" boolean DEFAULT true,
    "failedVerificationCount" integer DEFAULT 0,
    "lockedUntil" timestamptz
  )`,
  `CREATE TABLE auth_passkeys (
    "id" text NOT NULL PRIMARY KEY,
    "name" text,
    "publicKey" text NOT NULL,
    "userId" text NOT NULL REFERENCES auth_users ("id") ON DELETE CASCADE,
    "credentialID" text NOT NULL UNIQUE,
    "counter" integer NOT NULL,
    "deviceType" text NOT NULL,
    "backedUp" boolean NOT NULL,
    "transports" text,
    "createdAt" timestamptz,
    "aaguid" text
  )`,
  `CREATE INDEX "auth_passkeys_userId_idx" ON auth_passkeys ("userId")`,
) {}
