import { randomBytes, randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import { API_KEY_NAME_MAX_CHARACTERS } from '#libs/contract/api-keys.js';
import { AppError } from '#libs/contract/errors.js';
import { ApiKeyEntity } from '#libs/database/entities/api-keys.js';
import { OAuthClientEntity } from '#libs/database/entities/connected-apps.js';
import type { Database } from '#libs/database/sql.js';

/** `referenceId` of clients that an operator registered. */
const OPERATOR = 'operator';

export interface OAuthClient {
  clientId: string;
  name: string;
  redirectUris: string[];
  registeredBy: 'operator' | 'itself';
}

/** The apps that may sign users in by OAuth, with local accounts. Clients are public: they prove themselves by PKCE. */
export class OAuthClients {
  constructor(private readonly dataSource: Database) {}

  /** @throws AppError VALIDATION_FAILED */
  async register({
    clientId = newClientId(),
    name,
    redirectUris,
  }: Pick<OAuthClient, 'name' | 'redirectUris'> & { clientId?: string }): Promise<OAuthClient> {
    if (name.trim() === '' || name.length > API_KEY_NAME_MAX_CHARACTERS)
      throw new AppError(
        'VALIDATION_FAILED',
        `Give the app a name of at most ${API_KEY_NAME_MAX_CHARACTERS} characters.`,
      );
    for (const uri of redirectUris) requireRedirectUri(uri);
    await this.dataSource.getRepository(OAuthClientEntity).insert({
      id: randomUUID(),
      clientId,
      name: name.trim(),
      redirectUris,
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token'],
      responseTypes: ['code'],
      requirePKCE: true,
      disabled: false,
      referenceId: OPERATOR,
      createdAt: () => 'now()',
      updatedAt: () => 'now()',
    });
    return { clientId, name: name.trim(), redirectUris, registeredBy: 'operator' };
  }

  async list(): Promise<OAuthClient[]> {
    const clients = await this.dataSource
      .getRepository(OAuthClientEntity)
      .find({ order: { createdAt: 'ASC', id: 'ASC' } });
    return clients.map(({ clientId, name, redirectUris, referenceId }) => ({
      clientId,
      name: name ?? '',
      redirectUris: redirectUris as string[],
      registeredBy: referenceId === OPERATOR ? 'operator' : 'itself',
    }));
  }

  /** Removes an app and disconnects it from all users. @throws AppError NOT_FOUND */
  async remove(clientId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const { affected } = await transaction.delete(OAuthClientEntity, { clientId });
      if (!affected) throw new AppError('NOT_FOUND', 'There is no app with this client id.');
      await transaction.update(ApiKeyEntity, { clientId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    });
  }
}

export const newClientId = () => randomBytes(16).toString('hex');

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Schemes that a browser runs or reads itself. */
const UNSAFE_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

function requireRedirectUri(uri: string): void {
  const url = URL.parse(uri);
  const isValid =
    url !== null &&
    !uri.includes('#') &&
    url.username === '' &&
    !UNSAFE_SCHEMES.includes(url.protocol) &&
    (url.protocol !== 'http:' || LOOPBACK.includes(url.hostname));
  if (!isValid)
    throw new AppError(
      'VALIDATION_FAILED',
      `${uri} cannot be a redirect address: it must be an https address, an http address of this machine or an app's own scheme, without #.`,
    );
}
