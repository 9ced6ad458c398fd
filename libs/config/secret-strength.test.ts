import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isCommonPassword, isRandom } from './secret-strength.js';

const COUNT = 3_000;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

describe('a secret', () => {
  it.each<[string, () => string]>([
    ['64 hexadecimal digits', () => randomBytes(32).toString('hex')],
    ['48 hexadecimal digits', () => randomBytes(24).toString('hex')],
    ['32 hexadecimal digits', () => randomBytes(16).toString('hex')],
    ['base64 of 24 bytes', () => randomBytes(24).toString('base64')],
    ['base64 of 32 bytes', () => randomBytes(32).toString('base64url')],
    ['a UUID', randomUUID],
    ['32 letters and digits', () => Array.from({ length: 32 }, () => LETTERS[randomInt(62)]).join('')],
  ])('is random: %s', (_, create) => {
    const refused = Array.from({ length: COUNT }, create).filter((one) => !isRandom(one));
    expect(refused).toEqual([]);
  });

  it.each([
    'aaaaaaaaaaaaaaaaaaaaaaaaabcdefgh',
    'abcdefghijklmnopqrstuvwxyz012345',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    '0123456789abcdef0123456789fedcba',
    'change-this-to-32-random-letters',
    'ChangeThisTo32RandomLettersPlease',
    'replace-me-with-a-long-secret-key',
    'aaaaaaaabbbbbbbbccccccccdddddddd',
    'passwordpasswordpasswordpassword1',
    'secret secret secret secret secret secret x',
    'your-secret-key-goes-here-32-characters',
    '<32 random characters from openssl>',
    'qwertyuiopasdfghjklzxcvbnmqwertyuiopas',
    'PressroomSecretPasswordForProduction',
    '12345678901234567890123456789012',
    'deadbeefdeadbeefdeadbeefdeadbeef',
  ])('is not random: %s', (text) => {
    expect(isRandom(text)).toBe(false);
  });
});

describe('a password of a service', () => {
  it.each([
    'changeme',
    'Password',
    'password123!',
    '12345678',
    '87654321x',
    'qwertyuiop',
    'postgres',
    'MinioAdmin1',
    'pressroom-password',
    'dbpassword',
    'mysecretpassword',
    'example-password',
    'Pressroom2026!',
  ])('is common: %s', (password) => expect(isCommonPassword(password)).toBe(true));

  it.each(['marble-anchor-velvet-thunder-pepper-cactus', 'orangetigerwindowcoffeeguitarplanet'])(
    'is not common: %s',
    (password) => expect(isCommonPassword(password)).toBe(false),
  );

  it('is not common if it is random', () => {
    const passwords = Array.from({ length: COUNT }, () => [
      randomBytes(24).toString('hex'),
      randomBytes(12).toString('base64'),
      randomBytes(12).toString('hex'),
    ]).flat();
    expect(passwords.filter(isCommonPassword)).toEqual([]);
  });
});
