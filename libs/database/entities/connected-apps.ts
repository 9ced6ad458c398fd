import {
  boolean,
  id,
  integer,
  json,
  optional,
  table,
  text,
  time,
  unique,
  userId,
} from './better-auth-table.js';

// Tables of better-auth's OAuth provider. Lists of words are JSON arrays.

const clientId = {
  ...text,
  foreignKey: {
    target: 'auth_oauth_clients',
    inverseSide: 'clientId',
    onDelete: 'CASCADE',
  },
} as const;

export const OAuthClientEntity = table(
  'auth_oauth_clients',
  {
    id,
    clientId: unique(text),
    clientSecret: optional(text),
    clientDiscoveryId: optional(text),
    disabled: optional(boolean),
    skipConsent: optional(boolean),
    enableEndSession: optional(boolean),
    subjectType: optional(text),
    scopes: optional(json),
    clientCredentialsScopes: optional(json),
    userId: optional(userId),
    createdAt: optional(time),
    updatedAt: optional(time),
    name: optional(text),
    uri: optional(text),
    icon: optional(text),
    contacts: optional(json),
    tos: optional(text),
    policy: optional(text),
    softwareId: optional(text),
    softwareVersion: optional(text),
    softwareStatement: optional(text),
    redirectUris: json,
    postLogoutRedirectUris: optional(json),
    backchannelLogoutUri: optional(text),
    backchannelLogoutSessionRequired: optional(boolean),
    tokenEndpointAuthMethod: optional(text),
    applicationType: optional(text),
    jwks: optional(text),
    jwksUri: optional(text),
    grantTypes: optional(json),
    responseTypes: optional(json),
    requirePKCE: optional(boolean),
    dpopBoundAccessTokens: optional(boolean),
    /** `operator` if an operator registered the client; null if it registered itself. */
    referenceId: optional(text),
    metadata: optional(json),
  },
  ['userId'],
);

export const OAuthResourceEntity = table('auth_oauth_resources', {
  id,
  identifier: unique(text),
  name: text,
  accessTokenTtl: optional(integer),
  refreshTokenTtl: optional(integer),
  signingAlgorithm: optional(text),
  signingKeyId: optional(text),
  allowedScopes: optional(json),
  customClaims: optional(json),
  dpopBoundAccessTokensRequired: optional(boolean),
  disabled: optional(boolean),
  createdAt: optional(time),
  updatedAt: optional(time),
  policyVersion: optional(integer),
  metadata: optional(json),
});

export const OAuthClientResourceEntity = table(
  'auth_oauth_client_resources',
  {
    id,
    clientId,
    resourceId: {
      ...text,
      foreignKey: { target: 'auth_oauth_resources', inverseSide: 'identifier', onDelete: 'CASCADE' },
    },
    metadata: optional(json),
    createdAt: optional(time),
  },
  ['resourceId'],
  ['clientId', 'resourceId'],
);

const tokenColumns = {
  id,
  token: unique(text),
  clientId,
  sessionId: {
    ...optional(text),
    foreignKey: { target: 'auth_sessions', onDelete: 'SET NULL' },
  },
  referenceId: optional(text),
  authorizationCodeId: optional(text),
  resources: optional(json),
  requestedUserInfoClaims: optional(json),
  expiresAt: time,
  createdAt: time,
  revoked: optional(time),
  confirmation: optional(json),
  scopes: json,
} as const;

export const OAuthRefreshTokenEntity = table(
  'auth_oauth_refresh_tokens',
  {
    ...tokenColumns,
    userId,
    rotatedAt: optional(time),
    rotationReplayResponse: optional(text),
    rotationReplayExpiresAt: optional(time),
    authTime: optional(time),
  },
  ['clientId', 'sessionId', 'userId', 'authorizationCodeId'],
);

export const OAuthAccessTokenEntity = table(
  'auth_oauth_access_tokens',
  {
    ...tokenColumns,
    userId: optional(userId),
    refreshId: {
      ...optional(text),
      foreignKey: { target: 'auth_oauth_refresh_tokens', onDelete: 'CASCADE' },
    },
  },
  ['clientId', 'sessionId', 'userId', 'authorizationCodeId', 'refreshId'],
);

export const OAuthConsentEntity = table(
  'auth_oauth_consents',
  {
    id,
    clientId,
    userId: optional(userId),
    referenceId: optional(text),
    resources: optional(json),
    requestedUserInfoClaims: optional(json),
    scopes: json,
    createdAt: time,
    updatedAt: time,
  },
  ['clientId', 'userId'],
);

export const OAuthClientAssertionEntity = table('auth_oauth_client_assertions', { id, expiresAt: time });
