import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { diskFree } from '#libs/observability/metrics.js';
import { DiskSpace } from './disk-space.js';

it('measures the disk of a folder that no program has made yet', async () => {
  const disk = new DiskSpace([join(tmpdir(), 'no-such-folder', 'of-a-new-worker')], 0);
  await disk.collect();
  const { values } = await diskFree.get();
  const { bavail, bsize } = await statfs(tmpdir());
  expect(values[0]!.value / (bavail * bsize)).toBeCloseTo(1, 1);
});
