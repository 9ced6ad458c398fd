import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { passwordHashing } from './password-hashing.js';

it('hashes two passwords at once with twenty in line, refuses more, and leaves threads to files', async () => {
  const { hash, verify } = passwordHashing();
  let done = 0;
  const hashes = Array.from({ length: 22 }, async () => {
    const made = await hash('a long password');
    done += 1;
    return made;
  });
  const refused = { status: 'TOO_MANY_REQUESTS', headers: { 'X-Retry-After': '2' } };
  await expect(hash('one more')).rejects.toMatchObject(refused);
  await expect(verify({ hash: 'any:any', password: 'one more' })).rejects.toMatchObject(refused);
  await readFile(fileURLToPath(import.meta.url));
  expect(done).toBeLessThan(22);
  const [made] = await Promise.all(hashes);
  expect(await verify({ hash: made!, password: 'a long password' })).toBe(true);
  expect(await verify({ hash: made!, password: 'another one' })).toBe(false);
});
