import { timingSafeEqual } from 'node:crypto';
import { IsNull, LessThan, type Repository } from 'typeorm';
import { z } from 'zod';
import { DISCONNECT_ALL_APPS } from '#libs/accounts/sign-out.js';
import { lockUser } from '#libs/accounts/lock-user.js';
import { requireActive } from '#libs/accounts/suspension.js';
import type { AppGrant } from '#libs/accounts/app-tokens.js';
import type { ApiKeyGrant } from '#libs/accounts/identity.js';
import { monthOf } from '#libs/billing/credits.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import {
  apiKeyNotFound,
  MAX_API_KEYS,
  MAX_STORED_API_KEYS,
  REVOKED_KEY_DAYS,
  type ApiKey,
  type ChangeApiKey,
  type KeyScope,
  type NewApiKey,
} from '#libs/contract/api-keys.js';
import { AppError } from '#libs/contract/errors.js';
import { requireStorable } from '#libs/contract/validation.js';
import { ApiKeyEntity } from '#libs/database/entities/api-keys.js';
import { execute, queryPreparedEntities, queryRows, type Database } from '#libs/database/sql.js';
import { gather } from '#libs/resilience/gather.js';
import { connectConsentedApp, endConsent, readConsentedScopes } from './consented-apps.js';
import { createApiKey, hashOf, idOfApiKey, newKeyId } from './key-form.js';

/** A key's last use is written at most once in this time. */
const LAST_USED_INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;

const KEYS_BY_ID = {
  name: 'api-keys-by-id',
  text: (columns: string) => `SELECT ${columns} FROM api_keys WHERE id = ANY ($1)
     AND NOT EXISTS (SELECT FROM users WHERE users.id = user_id AND suspended_at IS NOT NULL)`,
};

/** A key with its user. */
export type VerifiedApiKey = ApiKeyGrant & { userId: string };

/** Creates, verifies and revokes the keys with which programs act for a user. */
export class ApiKeys {
  private readonly usedAt = new Map<string, number>();
  private readonly find: (id: string) => Promise<ApiKeyEntity | undefined>;

  constructor(
    private readonly dataSource: Database,
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock = systemClock,
  ) {
    // Keys are read from the database each time, so that a revoked key ends at once in all processes.
    this.find = gather({ atMost: 50, groups: 2 }, async (ids: string[]) => {
      const found = await queryPreparedEntities(dataSource, ApiKeyEntity, KEYS_BY_ID, [[...new Set(ids)]]);
      const byId = new Map(found.map((key) => [key.id, key]));
      return ids.map((id) => byId.get(id));
    });
  }

  /** @throws AppError UNAUTHENTICATED if the key is unknown, revoked or expired, or its user is suspended */
  async verify(secret: string): Promise<VerifiedApiKey> {
    const id = idOfApiKey(secret);
    const key = id === null ? undefined : await this.find(id);
    if (!key?.hash || !timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(key.hash)))
      throw invalidKey('is not valid');
    if (key.revokedAt) throw invalidKey('was revoked');
    if (key.expiresAt && key.expiresAt.getTime() <= this.clock.now()) throw invalidKey('has expired');
    return this.use(key, key.scopes);
  }

  /**
   * The key that stands for an app. It is created at the app's first call. Its scopes are those of the user's last consent,
   * so that a token from before allows no more than that.
   * @throws AppError UNAUTHENTICATED if the user has disconnected the app; ACCOUNT_SUSPENDED; FORBIDDEN if the user must allow it on the page
   *   “API keys”, or has too many keys
   */
  async verifyApp(grant: AppGrant): Promise<VerifiedApiKey> {
    const { userId, clientId, scopes } = grant;
    await requireActive(this.dataSource, userId);
    const known = await this.dataSource
      .getRepository(ApiKeyEntity)
      .findOneBy({ userId, clientId, revokedAt: IsNull() });
    if (scopes === null) {
      if (!known) throw appNotAllowed();
      return this.use(known, known.scopes);
    }
    const consented = await readConsentedScopes(this.dataSource, grant);
    if (!consented) throw appDisconnected();
    const isCurrent = known !== null && String(known.scopes) === String(consented);
    const key = isCurrent ? known : await connectConsentedApp(this.dataSource, userId, clientId, consented);
    if (!key) throw new AppError('FORBIDDEN', TOO_MANY_STORED_KEYS);
    return this.use(
      key,
      scopes.filter((scope) => key.scopes.includes(scope)),
    );
  }

  /** Lets an app call for the user, where the OAuth server knows no scopes of ours. */
  async allowApp(
    userId: string,
    app: { clientId: string; name: string },
    scopes: KeyScope[],
  ): Promise<ApiKey> {
    await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const rows = transaction.getRepository(ApiKeyEntity);
      const { affected } = await rows.update(
        { userId, clientId: app.clientId, revokedAt: IsNull() },
        { scopes },
      );
      if (affected) return;
      await this.makeRoom(rows, userId);
      await rows.insert({ ...app, id: newKeyId(), userId, scopes });
    });
    const key = await this.dataSource
      .getRepository(ApiKeyEntity)
      .findOneByOrFail({ userId, clientId: app.clientId, revokedAt: IsNull() });
    const [allowed] = await this.withUsage([key]);
    return allowed!;
  }

  private use(key: ApiKeyEntity, scopes: KeyScope[]): VerifiedApiKey {
    this.recordUse(key);
    const { id, userId, ratePerMinute, expiresAt } = key;
    return { id, userId, scopes, ratePerMinute, expiresAt };
  }

  /** True if the key was neither revoked nor has expired. */
  async isValid(id: string): Promise<boolean> {
    const key = await this.find(id);
    return (
      key !== undefined && !key.revokedAt && (!key.expiresAt || key.expiresAt.getTime() > this.clock.now())
    );
  }

  async list(userId: string): Promise<ApiKey[]> {
    const keys = await this.dataSource
      .getRepository(ApiKeyEntity)
      .find({ where: { userId, revokedAt: IsNull() }, order: { createdAt: 'DESC', id: 'ASC' } });
    return this.withUsage(keys);
  }

  /**
   * @returns the key, and its secret, which is not stored
   * @throws AppError VALIDATION_FAILED if the user has too many keys or the expiry has passed
   */
  async create(userId: string, settings: NewApiKey): Promise<{ key: ApiKey; secret: string }> {
    requireStorable(settings);
    const expiresAt = settings.expiresAt === null ? null : new Date(settings.expiresAt);
    if (expiresAt && expiresAt.getTime() <= this.clock.now())
      throw new AppError('VALIDATION_FAILED', 'Choose an expiry in the future.', {
        details: [{ field: 'expiresAt', message: 'Choose an expiry in the future.' }],
      });
    const { id, secret, hash } = createApiKey();
    await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const rows = transaction.getRepository(ApiKeyEntity);
      await this.makeRoom(rows, userId);
      await rows.insert({ ...settings, id, userId, hash, expiresAt });
    });
    const [key] = await this.withUsage([await this.requireKey(userId, id)]);
    return { key: key!, secret };
  }

  /** Deletes keys that were revoked long ago. @throws AppError VALIDATION_FAILED if the user has too many keys */
  private async makeRoom(rows: Repository<ApiKeyEntity>, userId: string): Promise<void> {
    const longAgo = new Date(this.clock.now() - REVOKED_KEY_DAYS * DAY_MS);
    await rows.delete({ userId, revokedAt: LessThan(longAgo) });
    if ((await rows.countBy({ userId, revokedAt: IsNull() })) >= MAX_API_KEYS)
      throw new AppError('VALIDATION_FAILED', `You have ${MAX_API_KEYS} API keys. Revoke one first.`);
    if ((await rows.countBy({ userId })) >= MAX_STORED_API_KEYS)
      throw new AppError('VALIDATION_FAILED', TOO_MANY_STORED_KEYS);
  }

  /** @throws AppError NOT_FOUND */
  async change(userId: string, id: string, change: ChangeApiKey): Promise<ApiKey> {
    requireStorable(change);
    const key = await this.requireKey(userId, id);
    if (Object.keys(change).length > 0)
      await this.dataSource.getRepository(ApiKeyEntity).update({ id, userId, revokedAt: IsNull() }, change);
    const [changed] = await this.withUsage([{ ...key, ...change }]);
    return changed!;
  }

  /** Also disconnects the app for which the key stands. @throws AppError NOT_FOUND */
  async revoke(userId: string, id: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const key = await transaction.findOne(ApiKeyEntity, {
        where: { id, userId, revokedAt: IsNull() },
        lock: { mode: 'pessimistic_write' },
      });
      if (!key) throw apiKeyNotFound();
      await transaction.update(ApiKeyEntity, { id }, { revokedAt: new Date(this.clock.now()) });
      if (key.clientId !== null) await endConsent(transaction, userId, key.clientId);
    });
  }

  /** Revokes the keys of all users and disconnects all apps. @returns the number of keys */
  async revokeAll(): Promise<number> {
    return this.dataSource.transaction(async (transaction) => {
      const { affected } = await transaction.update(
        ApiKeyEntity,
        { revokedAt: IsNull() },
        { revokedAt: new Date(this.clock.now()) },
      );
      for (const statement of DISCONNECT_ALL_APPS) await execute(transaction, statement);
      return affected ?? 0;
    });
  }

  private async requireKey(userId: string, id: string): Promise<ApiKeyEntity> {
    const key = await this.dataSource
      .getRepository(ApiKeyEntity)
      .findOneBy({ id, userId, revokedAt: IsNull() });
    if (!key) throw apiKeyNotFound();
    return key;
  }

  private async withUsage(keys: ApiKeyEntity[]): Promise<ApiKey[]> {
    const ids = keys.map(({ id }) => id);
    const month = monthOf(new Date(this.clock.now()));
    const usage = await readUsage(this.dataSource, ids, month);
    return keys.map((key) => ({
      id: key.id,
      clientId: key.clientId,
      name: key.name,
      scopes: key.scopes,
      ratePerMinute: key.ratePerMinute,
      monthlyJobs: key.monthlyJobs,
      monthlyCredits: key.monthlyCredits,
      createdAt: key.createdAt.toISOString(),
      expiresAt: key.expiresAt?.toISOString() ?? null,
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      usage: usage.get(key.id) ?? { jobs: 0, credits: 0 },
    }));
  }

  private recordUse({ id, lastUsedAt }: ApiKeyEntity): void {
    const now = this.clock.now();
    const last = Math.max(this.usedAt.get(id) ?? 0, lastUsedAt?.getTime() ?? 0);
    if (now - last < LAST_USED_INTERVAL_MS) return;
    // Bounded by the number of keys that are used in a minute.
    for (const [other, at] of this.usedAt) if (now - at >= LAST_USED_INTERVAL_MS) this.usedAt.delete(other);
    this.usedAt.set(id, now);
    execute(
      this.dataSource,
      `UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)`,
      [id, new Date(now), new Date(now - LAST_USED_INTERVAL_MS)],
    ).catch(this.onError);
  }
}

const usageSchema = z.object({ id: z.string(), jobs: z.int(), credits: z.int() });

async function readUsage(
  database: Database,
  ids: string[],
  month: string,
): Promise<Map<string, ApiKey['usage']>> {
  const rows = await queryRows(
    database,
    usageSchema,
    `SELECT of_key AS id,
       coalesce((SELECT jobs FROM api_key_months WHERE api_key_id = of_key AND month = $2), 0) AS jobs,
       coalesce((SELECT -sum(amount) FROM credit_entries WHERE api_key_id = of_key AND month = $2), 0)::integer AS credits
     FROM unnest($1::text[]) AS given (of_key)`,
    [ids, month],
  );
  return new Map(rows.map(({ id, ...usage }) => [id, usage]));
}

const TOO_MANY_STORED_KEYS = 'You have created and revoked too many keys. Use one that you have.';

const appNotAllowed = () =>
  new AppError('FORBIDDEN', 'Allow this app first, on the page “API keys” of your account.');
const appDisconnected = () =>
  new AppError('UNAUTHENTICATED', 'This app is not connected to the account. Connect it again.');

const invalidKey = (what: string) =>
  new AppError('UNAUTHENTICATED', `This API key ${what}. Create one on the page “API keys” of your account.`);
