import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { keepBuilds } from './previous-builds-plugin';

it('keeps the assets of the last three builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'builds-'));
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  const build = (...names: string[]) => {
    for (const name of names) writeFileSync(join(assets, name), '');
    keepBuilds(assets, join(folder, 'builds.json'), names);
    return readdirSync(assets).sort();
  };
  writeFileSync(join(assets, 'unknown.js'), '');
  expect(build('a-1.js', 'b.js')).toEqual(['a-1.js', 'b.js']);
  build('a-2.js', 'b.js');
  // A build that is identical to the last one doesn't count.
  build('a-2.js', 'b.js');
  expect(build('a-3.js', 'b.js')).toEqual(['a-1.js', 'a-2.js', 'a-3.js', 'b.js']);
  expect(build('a-4.js', 'b.js')).toEqual(['a-2.js', 'a-3.js', 'a-4.js', 'b.js']);
  rmSync(folder, { recursive: true });
});
