import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { z } from 'zod';
import { execute, queryRows, type Database } from '#libs/database/sql.js';

/** AUTH_SECRET, and during a rotation the one before it. */
export interface AuthSecrets {
  current: string;
  previous: string | null;
}

/** The number that names a secret in what is encrypted with it. */
const versionOf = (secret: string): number =>
  Number.parseInt(createHash('sha256').update(secret).digest('hex').slice(0, 7), 16);

const known = ({ current, previous }: AuthSecrets): string[] => [
  current,
  ...(previous === null ? [] : [previous]),
];

/** better-auth's options: encrypts with the current secret, and decrypts with both. */
export const secretOptions = (secrets: AuthSecrets) => ({
  secrets: known(secrets).map((value) => ({ version: versionOf(value), value })),
  // For what was encrypted before secrets had versions.
  secret: secrets.previous ?? secrets.current,
});

/** The key for better-auth's encryption. */
export const encryptionKey = (secrets: AuthSecrets) => ({
  keys: new Map(known(secrets).map((value) => [versionOf(value), value])),
  currentVersion: versionOf(secrets.current),
  legacySecret: secrets.previous ?? secrets.current,
});

/** Tables and columns that hold encrypted texts; `json` if the text is a JSON string. */
const encrypted = [
  { table: 'auth_keys', column: 'privateKey', json: true },
  { table: 'auth_two_factors', column: 'secret', json: false },
  { table: 'auth_two_factors', column: 'backupCodes', json: false },
] as const;

/**
 * Encrypts everything with the current secret, so that the previous one can be forgotten.
 * @returns how many texts were encrypted again, and how many neither secret can decrypt
 */
export async function reEncrypt(
  database: Database,
  secrets: AuthSecrets,
): Promise<{ encrypted: number; unreadable: number }> {
  const key = encryptionKey(secrets);
  const counts = { encrypted: 0, unreadable: 0 };
  const current = `$ba$${versionOf(secrets.current)}$`;
  for (const { table, column, json } of encrypted) {
    const rows = await queryRows(
      database,
      z.object({ id: z.string(), text: z.string() }),
      `SELECT "id", "${column}" AS text FROM ${table} WHERE "${column}" IS NOT NULL`,
    );
    for (const { id, text } of rows) {
      const data = json ? (JSON.parse(text) as string) : text;
      if (data.startsWith(current)) continue;
      const plain = await symmetricDecrypt({ key, data }).catch(() => null);
      if (plain === null) {
        counts.unreadable += 1;
        continue;
      }
      const next = await symmetricEncrypt({ key, data: plain });
      // A text that changed meanwhile was encrypted with the current secret.
      await execute(database, `UPDATE ${table} SET "${column}" = $2 WHERE "id" = $1 AND "${column}" = $3`, [
        id,
        json ? JSON.stringify(next) : next,
        text,
      ]);
      counts.encrypted += 1;
    }
  }
  return counts;
}

/** Deletes the keys that sign tokens. The next token has a new one; running apis accept the old ones until they are replaced. */
export const deleteSigningKeys = (database: Database): Promise<number> =>
  execute(database, `DELETE FROM auth_keys`);

const sign = (value: string, secret: string) => createHmac('sha256', secret).update(value).digest('base64');

function isSigned(value: string, signature: string, secret: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(value, secret))];
  return given.length === right.length && timingSafeEqual(given, right);
}

/**
 * Signs the cookies of a request again that were signed with the previous secret.
 * @returns the header for the request, and the cookies that changed; null if none did
 */
export function reSignCookies(
  header: string | null,
  { current, previous }: AuthSecrets,
): { header: string; changed: { name: string; value: string }[] } | null {
  if (header === null || previous === null) return null;
  const changed: { name: string; value: string }[] = [];
  const cookies = header.split(/; */).map((cookie) => {
    const [, name, encoded] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
    const renewed = encoded === undefined ? null : reSign(encoded, { current, previous });
    if (name === undefined || renewed === null) return cookie;
    changed.push({ name, value: renewed });
    return `${name}=${renewed}`;
  });
  return changed.length === 0 ? null : { header: cookies.join('; '), changed };
}

/**
 * Signs the bearer token of a request again, as `set-auth-token` has it, if it was signed with the previous secret.
 * @returns the header for the request, or null for another one
 */
export function reSignBearer(header: string | null, { current, previous }: AuthSecrets): string | null {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (token === undefined || previous === null) return null;
  const renewed = reSign(token, { current, previous });
  return renewed && `Bearer ${renewed}`;
}

/** @returns the encoded value with the signature of the current secret, or null if the previous one did not sign it */
function reSign(
  encoded: string,
  { current, previous }: Record<'current' | 'previous', string>,
): string | null {
  const [, value, signature] = /^(.*)\.([A-Za-z0-9+/]{43}=)$/.exec(decode(encoded)) ?? [];
  if (value === undefined || signature === undefined) return null;
  if (isSigned(value, signature, current) || !isSigned(value, signature, previous)) return null;
  return encodeURIComponent(`${value}.${sign(value, current)}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
