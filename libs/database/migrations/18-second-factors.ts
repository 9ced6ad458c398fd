import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** Passkeys, authenticator apps and recovery codes of local accounts, as the plugins of better-auth need them. */
export class SecondFactors1700000000018 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth_users ADD COLUMN "twoFactorEnabled" boolean DEFAULT false`);
    await runner.query(`ALTER TABLE auth_sessions ADD COLUMN "method" text`);
    await runner.query(`
      CREATE TABLE auth_two_factors (
        "id" text NOT NULL PRIMARY KEY,
        "secret" text NOT NULL,
        "backupCodes" text NOT NULL,
        "userId" text NOT NULL UNIQUE REFERENCES auth_users ("id") ON DELETE CASCADE,
        "verified" boolean DEFAULT true,
        "failedVerificationCount" integer DEFAULT 0,
        "lockedUntil" timestamptz
      )`);
    await runner.query(`
      CREATE TABLE auth_passkeys (
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
      )`);
    await runner.query(`CREATE INDEX "auth_passkeys_userId_idx" ON auth_passkeys ("userId")`);
  }
}
