import { statements } from './migration.js';

/**
 * The tables of the accounts library (better-auth), as its own compiler writes them for our options, and one for the
 * rate limits of sign-in. A test says so when a newer version of the library needs more than is here.
 */
export class LocalAccounts1700000000002 extends statements(
  `CREATE TABLE auth_users (
    "id" text NOT NULL PRIMARY KEY,
    "name" text NOT NULL,
    "email" text NOT NULL UNIQUE,
    "emailVerified" boolean NOT NULL,
    "image" text,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`,
  `CREATE TABLE auth_sessions (
    "id" text NOT NULL PRIMARY KEY,
    "expiresAt" timestamptz NOT NULL,
    "token" text NOT NULL UNIQUE,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz NOT NULL,
    "ipAddress" text,
    "userAgent" text,
    "userId" text NOT NULL REFERENCES auth_users ("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "auth_sessions_userId_idx" ON auth_sessions ("userId")`,
  `CREATE TABLE auth_accounts (
    "id" text NOT NULL PRIMARY KEY,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "userId" text NOT NULL REFERENCES auth_users ("id") ON DELETE CASCADE,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamptz,
    "refreshTokenExpiresAt" timestamptz,
    "scope" text,
    "password" text,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz NOT NULL
  )`,
  `CREATE INDEX "auth_accounts_userId_idx" ON auth_accounts ("userId")`,
  `CREATE TABLE auth_verifications (
    "id" text NOT NULL PRIMARY KEY,
    "identifier" text NOT NULL,
    "value" text NOT NULL,
    "expiresAt" timestamptz NOT NULL,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`,
  `CREATE INDEX "auth_verifications_identifier_idx" ON auth_verifications ("identifier")`,
  `CREATE TABLE auth_keys (
    "id" text NOT NULL PRIMARY KEY,
    "publicKey" text NOT NULL,
    "privateKey" text NOT NULL,
    "createdAt" timestamptz NOT NULL,
    "expiresAt" timestamptz,
    "alg" text,
    "crv" text
  )`,
  // The columns and their order are rate-limiter-flexible's.
  `CREATE TABLE auth_rate_limits (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  )`,
) {}
