import { chargeCredits } from '../functions/charge-credits.sql.js';
import { statements } from './migration.js';

const client = 'text NOT NULL REFERENCES auth_oauth_clients ("clientId") ON DELETE CASCADE';
const user = 'text REFERENCES auth_users ON DELETE CASCADE';
const tokenColumns = `
  id text PRIMARY KEY,
  token text NOT NULL UNIQUE,
  "clientId" ${client},
  "sessionId" text REFERENCES auth_sessions ON DELETE SET NULL,
  "referenceId" text,
  "authorizationCodeId" text,
  resources jsonb,
  "requestedUserInfoClaims" jsonb,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL,
  revoked timestamptz,
  confirmation jsonb,
  scopes jsonb NOT NULL`;
const indexes = (table: string, ...columns: string[]) =>
  columns.map((column) => `CREATE INDEX "${table}_${column}_idx" ON ${table} ("${column}")`);

/** Apps that users connect by OAuth: tables of better-auth's provider, and the key that stands for a connected app. */
export class ConnectedApps1700000000049 extends statements(
  `CREATE TABLE auth_oauth_clients (
  id text PRIMARY KEY,
  "clientId" text NOT NULL UNIQUE,
  "clientSecret" text,
  "clientDiscoveryId" text,
  disabled boolean,
  "skipConsent" boolean,
  "enableEndSession" boolean,
  "subjectType" text,
  scopes jsonb,
  "clientCredentialsScopes" jsonb,
  "userId" ${user},
  "createdAt" timestamptz,
  "updatedAt" timestamptz,
  name text,
  uri text,
  icon text,
  contacts jsonb,
  tos text,
  policy text,
  "softwareId" text,
  "softwareVersion" text,
  "softwareStatement" text,
  "redirectUris" jsonb NOT NULL,
  "postLogoutRedirectUris" jsonb,
  "backchannelLogoutUri" text,
  "backchannelLogoutSessionRequired" boolean,
  "tokenEndpointAuthMethod" text,
  "applicationType" text,
  jwks text,
  "jwksUri" text,
  "grantTypes" jsonb,
  "responseTypes" jsonb,
  "requirePKCE" boolean,
  "dpopBoundAccessTokens" boolean,
  "referenceId" text,
  metadata jsonb
)`,
  `CREATE TABLE auth_oauth_resources (
  id text PRIMARY KEY,
  identifier text NOT NULL UNIQUE,
  name text NOT NULL,
  "accessTokenTtl" integer,
  "refreshTokenTtl" integer,
  "signingAlgorithm" text,
  "signingKeyId" text,
  "allowedScopes" jsonb,
  "customClaims" jsonb,
  "dpopBoundAccessTokensRequired" boolean,
  disabled boolean,
  "createdAt" timestamptz,
  "updatedAt" timestamptz,
  "policyVersion" integer,
  metadata jsonb
)`,
  `CREATE TABLE auth_oauth_client_resources (
  id text PRIMARY KEY,
  "clientId" ${client},
  "resourceId" text NOT NULL REFERENCES auth_oauth_resources (identifier) ON DELETE CASCADE,
  metadata jsonb,
  "createdAt" timestamptz
)`,
  `CREATE TABLE auth_oauth_refresh_tokens (${tokenColumns},
  "userId" ${user} NOT NULL,
  "rotatedAt" timestamptz,
  "rotationReplayResponse" text,
  "rotationReplayExpiresAt" timestamptz,
  "authTime" timestamptz
)`,
  `CREATE TABLE auth_oauth_access_tokens (${tokenColumns},
  "userId" ${user},
  "refreshId" text REFERENCES auth_oauth_refresh_tokens ON DELETE CASCADE
)`,
  `CREATE TABLE auth_oauth_consents (
  id text PRIMARY KEY,
  "clientId" ${client},
  "userId" ${user},
  "referenceId" text,
  resources jsonb,
  "requestedUserInfoClaims" jsonb,
  scopes jsonb NOT NULL,
  "createdAt" timestamptz NOT NULL,
  "updatedAt" timestamptz NOT NULL
)`,
  `CREATE TABLE auth_oauth_client_assertions (
  id text PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL
)`,
  ...indexes('auth_oauth_clients', 'userId'),
  ...indexes('auth_oauth_client_resources', 'resourceId'),
  `CREATE UNIQUE INDEX auth_oauth_client_resources_unique ON auth_oauth_client_resources ("clientId", "resourceId")`,
  ...indexes('auth_oauth_refresh_tokens', 'clientId', 'sessionId', 'userId', 'authorizationCodeId'),
  ...indexes(
    'auth_oauth_access_tokens',
    'clientId',
    'sessionId',
    'userId',
    'authorizationCodeId',
    'refreshId',
  ),
  ...indexes('auth_oauth_consents', 'clientId', 'userId'),
  `ALTER TABLE api_keys ALTER COLUMN hash DROP NOT NULL, ADD COLUMN client_id text,
  ADD CONSTRAINT api_keys_secret_or_app CHECK ((hash IS NULL) <> (client_id IS NULL))`,
  `CREATE UNIQUE INDEX api_keys_app ON api_keys (user_id, client_id) WHERE revoked_at IS NULL AND client_id IS NOT NULL`,
  // The key of a charge is a parameter now.
  `DROP FUNCTION IF EXISTS charge_credits(text, date, integer, uuid[], integer)`,
  `DROP FUNCTION IF EXISTS record_api_key_use(text, date, uuid[])`,
  chargeCredits,
) {}
