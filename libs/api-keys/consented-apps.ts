import { CLOCK_TOLERANCE_SECONDS, type AppGrant } from '#libs/accounts/app-tokens.js';
import {
  API_KEY_NAME_MAX_CHARACTERS,
  appScopes,
  MAX_STORED_API_KEYS,
  type KeyScope,
} from '#libs/contract/api-keys.js';
import { ApiKeyEntity } from '#libs/database/entities/api-keys.js';
import { OAuthConsentEntity, OAuthRefreshTokenEntity } from '#libs/database/entities/connected-apps.js';
import { queryEntities, type Database, type Transaction } from '#libs/database/sql.js';
import { newKeyId } from './key-form.js';

/** The scopes to which the user has consented for an app; null without a consent, or if the token is older than it. */
export async function readConsentedScopes(
  database: Database,
  { userId, clientId, issuedAt }: Pick<AppGrant, 'userId' | 'clientId' | 'issuedAt'>,
): Promise<KeyScope[] | null> {
  const consent = await database.getRepository(OAuthConsentEntity).findOneBy({ userId, clientId });
  const isEarlier =
    consent !== null && issuedAt + CLOCK_TOLERANCE_SECONDS < consent.createdAt.getTime() / 1_000;
  if (isEarlier) return null;
  return consent && appScopes.filter((scope) => (consent.scopes as string[]).includes(scope));
}

/**
 * Creates the key of an app with the scopes of the user's consent, or changes the scopes of the existing one.
 * @returns null if the app was removed or the user has too many keys
 */
export async function connectConsentedApp(
  database: Database,
  userId: string,
  clientId: string,
  scopes: KeyScope[],
): Promise<ApiKeyEntity | null> {
  const [key] = await queryEntities(
    database,
    ApiKeyEntity,
    `INSERT INTO api_keys (id, user_id, client_id, name, scopes)
     SELECT $3, users.id, $2, left(coalesce(nullif(trim(clients.name), ''), $2), ${API_KEY_NAME_MAX_CHARACTERS}), $4
     FROM users JOIN auth_oauth_clients AS clients ON clients."clientId" = $2
     WHERE users.id = $1 AND NOT coalesce(clients.disabled, false)
       AND (SELECT count(*) FROM api_keys WHERE user_id = $1 AND client_id IS DISTINCT FROM $2) < ${MAX_STORED_API_KEYS}
     ON CONFLICT (user_id, client_id) WHERE revoked_at IS NULL AND client_id IS NOT NULL
       DO UPDATE SET scopes = excluded.scopes
     RETURNING *`,
    [userId, clientId, newKeyId(), scopes],
  );
  return key ?? null;
}

/** Ends the user's consent to an app and its refresh tokens. */
export async function endConsent(transaction: Transaction, userId: string, clientId: string): Promise<void> {
  await transaction.delete(OAuthConsentEntity, { userId, clientId });
  await transaction.delete(OAuthRefreshTokenEntity, { userId, clientId });
}
