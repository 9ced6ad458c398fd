import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { useInProcessProduct } from '../support/in-process-product.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** The first call of docs/api.md. `test/clients` runs the programs. */
const firstCall = /```sh\n(.*?)```/s.exec(readFileSync('docs/api.md', 'utf8'))![1]!;

const product = useInProcessProduct();

async function createKey(scopes: KeyScope[]): Promise<string> {
  const ada = await product.signUp('Ada', 'premium');
  const answer = await ada.call('/api/keys', { json: { name: 'Program', scopes } });
  return ((await answer.json()) as { secret: string }).secret;
}

it('makes the first call', async () => {
  const script = firstCall.replace(/^export .*$/m, '');
  const env = { PRESSROOM: product.origin, KEY: await createKey(['text']) };
  const { stdout } = await execa('sh', ['-c', script], { env });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, content: expect.any(String) });
});
