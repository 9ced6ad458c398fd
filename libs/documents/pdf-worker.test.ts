import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

it('awaits nothing at the top level of its modules, nor of those that they import', () => {
  const worker = fileURLToPath(import.meta.resolve('#libs/documents/pdf-worker.js'));
  // Unlike import, require() refuses such modules. The worker has no task in a process of its own.
  const script = 'require(process.argv[1])';
  const { stderr } = spawnSync(process.execPath, ['-e', script, worker], { encoding: 'utf8' });
  expect(stderr).not.toContain('ERR_REQUIRE_ASYNC_MODULE');
  expect(stderr).toContain("reading 'attachment'");
});
