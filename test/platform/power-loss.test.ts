import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import { createKey } from '#libs/storage/object-key.js';
import { LoopDisk } from '../../scripts/chaos/loop-disk.ts';

(LoopDisk.isPossible() ? describe : describe.skip)('after a loss of power', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-power-loss-'));
  let disk: LoopDisk;

  beforeAll(async () => {
    disk = new LoopDisk(join(folder, 'disk'), 64);
    await disk.testLoss();
  });
  afterAll(async () => {
    await disk.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the folder has every stored object', async () => {
    const directory = join(disk.folder, 'data', 'objects');
    const store = await createObjectStore({ kind: 'files', directory });
    await store.prepare();
    const contents = Array.from({ length: 3 }, (_, i) => ({
      key: createKey(),
      bytes: Buffer.from(`Object ${i}`),
    }));
    await Promise.all(contents.map(({ key, bytes }) => store.put(key, bytes, 'text/plain')));
    await disk.losePower();
    for (const { key, bytes } of contents) expect(await store.read(key)).toEqual(bytes);
  });
});
