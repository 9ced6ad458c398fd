import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { discOnBlue } from '../support/image-files.ts';
import { useInProcessProduct } from '../support/in-process-product.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** The programs of docs/api.md, run as its reader runs them. */
const page = readFileSync('docs/api.md', 'utf8');
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)![1]!;

const product = useInProcessProduct();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pressroom-api-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function createKey(scopes: KeyScope[]): Promise<string> {
  const ada = await product.signUp('Ada', 'premium');
  const answer = await ada.call('/api/keys', { json: { name: 'Program', scopes } });
  return ((await answer.json()) as { secret: string }).secret;
}

it('makes the first call', async () => {
  const script = blockOf('sh').replace(/^export .*$/m, '');
  const env = { PRESSROOM: product.origin, KEY: await createKey(['text']) };
  const { stdout } = await execa('sh', ['-c', script], { env });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, content: expect.any(String) });
});

it('removes the backgrounds of a folder of pictures', async () => {
  mkdirSync(join(folder, 'photos'));
  for (const name of ['one.png', 'two words.png', 'größe.png'])
    writeFileSync(join(folder, 'photos', name), await discOnBlue(96, 72).png().toBuffer());
  writeFileSync(join(folder, 'batch.mjs'), blockOf('js'));
  const env = { PRESSROOM: product.origin, KEY: await createKey(['images', 'read']) };
  await execa(process.execPath, ['batch.mjs'], { cwd: folder, env });
  const zip = readFileSync(join(folder, 'results.zip'));
  expect(zip.subarray(0, 2).toString()).toBe('PK');
  for (const name of ['one', 'two words', 'größe']) expect(zip.includes(`${name}.png`)).toBe(true);
});
