import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { JOSEError } from 'jose/errors';
import { keyScopes, type KeyScope } from '#libs/contract/api-keys.js';
import { AppError } from '#libs/contract/errors.js';

/** A user's permission for an app that speaks MCP. */
export interface AppGrant {
  userId: string;
  clientId: string;
  /** What the token allows; null if the issuer knows no scopes of ours, so that the user's settings decide. */
  scopes: KeyScope[] | null;
  /** Time of the token's issue, in whole seconds since 1970. */
  issuedAt: number;
}

/** Access tokens with which apps call `/mcp` for a user. */
export interface AppTokens {
  /** The OAuth server of the apps, as in the metadata of RFC 9728. */
  authorizationServer: string;
  /** Address of `/mcp`, the only audience of the tokens. */
  resource: string;
  /** Scopes that an app may ask for; null if the issuer knows no scopes of ours. */
  scopes: readonly KeyScope[] | null;
  /** @throws AppError UNAUTHENTICATED */
  verify(token: string): Promise<AppGrant>;
}

/** Greatest difference between the clocks of two machines. */
export const CLOCK_TOLERANCE_SECONDS = 5;

export const APP_TOKENS = Symbol('APP_TOKENS');

export interface AppTokenOptions extends Omit<AppTokens, 'verify'> {
  /** Keys of the issuers, by their `iss` claim. */
  issuers: ReadonlyMap<string, JWTVerifyGetKey>;
  /** The clients whose tokens need no audience, for an issuer that binds tokens to none. */
  trustedClients?: readonly string[];
}

/** True for access tokens of OAuth (RFC 9068), which differ from session tokens by their type. */
export function isAppToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === 'at+jwt';
  } catch {
    return false;
  }
}

export function createAppTokens({ issuers, trustedClients = [], ...described }: AppTokenOptions): AppTokens {
  const { resource, scopes } = described;
  return {
    ...described,
    async verify(token) {
      const { sub, client_id: clientId, aud, scope, iat: issuedAt } = await verifySignature(token, issuers);
      const isForUs =
        aud === undefined ? trustedClients.includes(String(clientId)) : [aud].flat().includes(resource);
      if (typeof sub !== 'string' || typeof clientId !== 'string' || issuedAt === undefined || !isForUs)
        throw invalidToken();
      return { userId: sub, clientId, issuedAt, scopes: scopes === null ? null : ourScopes(scope) };
    },
  };
}

async function verifySignature(
  token: string,
  issuers: ReadonlyMap<string, JWTVerifyGetKey>,
): Promise<JWTPayload> {
  try {
    const issuer = decodeJwt(token).iss ?? '';
    const keys = issuers.get(issuer);
    if (!keys) throw invalidToken();
    const requirements = {
      issuer,
      algorithms: ['RS256'],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'iat', 'exp', 'client_id'],
    };
    return (await jwtVerify(token, keys, { ...requirements, clockTolerance: CLOCK_TOLERANCE_SECONDS }))
      .payload;
  } catch (error) {
    throw error instanceof JOSEError ? invalidToken() : error;
  }
}

function ourScopes(scope: unknown): KeyScope[] {
  const given = typeof scope === 'string' ? scope.split(' ') : [];
  return keyScopes.filter((name) => given.includes(name));
}

const invalidToken = () =>
  new AppError('UNAUTHENTICATED', 'The access token is not valid or has expired. Connect the app again.');
