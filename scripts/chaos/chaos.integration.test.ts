import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../stack/root.ts';

it('refuses losses of power without redis-server, unless all jobs are to be on PostgreSQL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-path-'));
  symlinkSync(process.execPath, join(folder, 'node'));
  const { exitCode, all } = await execa(
    process.execPath,
    [inRoot('scripts/run.mjs'), 'chaos', '--power-loss', '--jobs', '1'],
    { env: { PATH: folder }, all: true, reject: false, timeout: 60_000 },
  );
  expect(all).toContain('There is no redis-server on the path');
  expect(all).toContain('--backend postgres');
  expect(exitCode).toBe(1);
  rmSync(folder, { recursive: true });
});
