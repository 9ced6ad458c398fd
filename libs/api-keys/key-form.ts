import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Form of a key: `prk_<id>_<secret><checksum>`. The id is 12 hexadecimal digits, the secret 43 letters and digits (256 bits),
 * the checksum the CRC-32 of everything before it as 6 letters and digits, as in GitHub's tokens, so that scanners of
 * leaked secrets recognise a key without asking this server.
 */
const FORM = /^prk_([0-9a-f]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

export const API_KEY_PREFIX = 'prk_';

export const newKeyId = () => randomBytes(6).toString('hex');

export function createApiKey(): { id: string; secret: string; hash: string } {
  const id = newKeyId();
  const random = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${API_KEY_PREFIX}${id}_${random}`;
  const secret = `${body}${checksumOf(body)}`;
  return { id, secret, hash: hashOf(secret) };
}

/** @returns the key's id; null if the text is no key or its checksum is wrong */
export function idOfApiKey(secret: string): string | null {
  const [, id, , checksum] = FORM.exec(secret) ?? [];
  return id !== undefined && checksumOf(secret.slice(0, -CHECKSUM_LENGTH)) === checksum ? id : null;
}

/** SHA-256 in hexadecimal digits. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = ALPHABET[rest % ALPHABET.length]! + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
