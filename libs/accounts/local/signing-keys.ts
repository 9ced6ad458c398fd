import { symmetricDecrypt } from 'better-auth/crypto';
import { importJWK, type CryptoKey, type JWSHeaderParameters } from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import type pg from 'pg';
import { encryptionKey, type AuthSecrets } from './secrets.js';

const MIN_INTERVAL_MS = 3_000;

interface KeyRow {
  id: string;
  publicKey: string;
}

/**
 * The local issuer's public keys, cached in memory. An unknown key id causes a read of the table, to find new keys, but at
 * most every 3 seconds, so that tokens with made-up ids do not cause many reads.
 * @returns a key function for `jwtVerify`
 */
export function localKeys(pool: pg.Pool, now: () => number = Date.now) {
  let cached = new Map<string, CryptoKey>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function read() {
    const { rows } = await pool.query<KeyRow>(
      `SELECT "id", "publicKey" FROM auth_keys WHERE "alg" = 'RS256'`,
    );
    const keys = new Map<string, CryptoKey>();
    for (const { id, publicKey } of rows) {
      const key = await importJWK(JSON.parse(publicKey), 'RS256');
      if (!(key instanceof Uint8Array)) keys.set(id, key);
    }
    cached = keys;
    readAt = now();
  }

  return async ({ kid }: JWSHeaderParameters): Promise<CryptoKey> => {
    if (!kid) throw new JWKSNoMatchingKey();
    if (!cached.has(kid) && now() - readAt >= MIN_INTERVAL_MS) {
      reading ??= read().finally(() => (reading = undefined));
    }
    if (!cached.has(kid)) await reading;
    const key = cached.get(kid);
    if (!key) throw new JWKSNoMatchingKey();
    return key;
  };
}

/** Ids of the signing keys that no secret can decrypt, for example because AUTH_SECRET was changed without AUTH_SECRET_PREVIOUS. */
export async function findUnreadableKeys(pool: pg.Pool, secrets: AuthSecrets): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; privateKey: string }>(
    `SELECT "id", "privateKey" FROM auth_keys WHERE "expiresAt" IS NULL OR "expiresAt" > now()`,
  );
  const unreadable: string[] = [];
  for (const { id, privateKey } of rows) {
    await symmetricDecrypt({ key: encryptionKey(secrets), data: JSON.parse(privateKey) as string }).catch(
      () => unreadable.push(id),
    );
  }
  return unreadable;
}

/** Expires signing keys. The next signature creates a new one; existing tokens stay valid until they expire. */
export async function retireKeys(pool: pg.Pool, ids: string[]): Promise<void> {
  await pool.query(`UPDATE auth_keys SET "expiresAt" = now() WHERE "id" = ANY($1)`, [ids]);
}
