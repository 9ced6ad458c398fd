import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { passwordHashing } from './password-hashing.js';

it('hashes two passwords at once with twenty in line, refuses more, and leaves threads to files', async () => {
  const { hash, verify } = passwordHashing();
  let done = 0;
  const hashes = Array.from({ length: 22 }, async (_, n) => {
    const made = await hash(`a long password ${n}`);
    done += 1;
    return made;
  });
  const refused = { status: 'TOO_MANY_REQUESTS', headers: { 'X-Retry-After': '2' } };
  await expect(hash('one more')).rejects.toMatchObject(refused);
  await expect(verify({ hash: 'any:any', password: 'one more' })).rejects.toMatchObject(refused);
  await readFile(fileURLToPath(import.meta.url));
  // With all of them at once, four threads would begin with the file after eighteen.
  expect(done).toBeLessThan(18);
  const [made] = await Promise.all(hashes);
  expect(await verify({ hash: made!, password: 'a long password 0' })).toBe(true);
  expect(await verify({ hash: made!, password: 'another one' })).toBe(false);
});
