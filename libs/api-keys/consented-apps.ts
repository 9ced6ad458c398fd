import { appScopes, API_KEY_NAME_MAX_CHARACTERS } from '#libs/contract/api-keys.js';
import { ApiKeyEntity } from '#libs/database/entities/api-keys.js';
import { OAuthConsentEntity, OAuthRefreshTokenEntity } from '#libs/database/entities/connected-apps.js';
import { queryEntities, type Database, type Transaction } from '#libs/database/sql.js';
import { MAX_STORED_API_KEYS } from '#libs/contract/api-keys.js';
import { newKeyId } from './key-form.js';

/**
 * Makes the key of an app that the user has consented to, or gives the existing one the scopes of the consent.
 * @returns null without a consent
 */
export async function connectConsentedApp(
  database: Database,
  userId: string,
  clientId: string,
): Promise<ApiKeyEntity | null> {
  const [key] = await queryEntities(
    database,
    ApiKeyEntity,
    `INSERT INTO api_keys (id, user_id, client_id, name, scopes)
     SELECT $3, users.id, $2, left(coalesce(nullif(trim(clients.name), ''), $2), ${API_KEY_NAME_MAX_CHARACTERS}),
       ARRAY(SELECT scope FROM jsonb_array_elements_text(consents.scopes) AS given (scope) WHERE scope = ANY ($4))
     FROM auth_oauth_consents AS consents
       JOIN auth_oauth_clients AS clients ON clients."clientId" = consents."clientId"
       JOIN users ON users.id = consents."userId"
     WHERE consents."userId" = $1 AND consents."clientId" = $2 AND NOT coalesce(clients.disabled, false)
       AND (SELECT count(*) FROM api_keys WHERE user_id = $1) < ${MAX_STORED_API_KEYS}
     ON CONFLICT (user_id, client_id) WHERE revoked_at IS NULL AND client_id IS NOT NULL
       DO UPDATE SET scopes = excluded.scopes
     RETURNING *`,
    [userId, clientId, newKeyId(), appScopes],
  );
  return key ?? null;
}

/** Ends the user's consent to an app and its refresh tokens. */
export async function endConsent(transaction: Transaction, userId: string, clientId: string): Promise<void> {
  await transaction.delete(OAuthConsentEntity, { userId, clientId });
  await transaction.delete(OAuthRefreshTokenEntity, { userId, clientId });
}
