import { describe, expect, it } from '@jest/globals';
import { createApiKey, hashOf, idOfApiKey } from './key-form.js';

describe('an API key', () => {
  it('has its id, a secret and a checksum', () => {
    const { id, secret, hash } = createApiKey();
    expect(secret).toMatch(/^prk_[0-9a-f]{12}_[0-9A-Za-z]{49}$/);
    expect(idOfApiKey(secret)).toBe(id);
    expect(hashOf(secret)).toBe(hash);
    expect(createApiKey().secret).not.toBe(secret);
  });

  // The checksum is a promise to scanners of secrets, so its form must not change.
  it('has a checksum that others can compute', () => {
    expect(idOfApiKey(`prk_0123456789ab_${'a'.repeat(43)}0rXi2D`)).toBe('0123456789ab');
  });

  it.each([
    ['a wrong checksum', (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`],
    [
      'another secret',
      (secret: string) => secret.replace(/_(.)(?=[0-9A-Za-z]{48}$)/, (_, c) => (c === 'a' ? '_b' : '_a')),
    ],
    ['a space', (secret: string) => `${secret} `],
    ['a line break', (secret: string) => `${secret}\n`],
    ['no prefix', (secret: string) => secret.slice(4)],
    ['nothing', () => ''],
  ])('is refused with %s', (_, change) => {
    expect(idOfApiKey(change(createApiKey().secret))).toBeNull();
  });
});
