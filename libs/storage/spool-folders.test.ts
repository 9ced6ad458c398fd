import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.ts';
import { until } from '../../test/support/until.ts';
import { AbandonedSpools, SpoolFolder } from './spool-folders.js';

const NOBODY = 2 ** 22 + 1;
const clock = new TestClock();
let parent: string;
let now: number;
let spools: AbandonedSpools;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pressroom-spools-'));
  now = 1_000;
  spools = new AbandonedSpools(parent, () => now);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function passAfter(seconds: number): Promise<string[]> {
  now += seconds * 1_000;
  await spools.pass();
  return readdirSync(parent);
}

async function openWithFile(owner: string): Promise<SpoolFolder> {
  const folder = new SpoolFolder(parent, clock, owner);
  await folder.open();
  writeFileSync(join(folder.path, 'upload'), 'x');
  return folder;
}

it('deletes the files of a process of this machine 30 seconds after it ended', async () => {
  await openWithFile(`${hostname()}.${NOBODY}`);
  expect(await passAfter(0)).toHaveLength(1);
  expect(await passAfter(29)).toHaveLength(1);
  expect(await passAfter(2)).toEqual([]);
});

it('waits five minutes for a process of another machine, or one that still runs', async () => {
  await openWithFile(`other.${NOBODY}`);
  await openWithFile(`${hostname()}.${process.pid}`);
  await passAfter(0);
  expect(await passAfter(290)).toHaveLength(2);
  expect(await passAfter(11)).toEqual([]);
});

it('keeps the files of a running process, regardless of the machine’s clock', async () => {
  const folder = await openWithFile(`${hostname()}.${NOBODY}`);
  for (let round = 1; round <= 10; round += 1) {
    utimesSync(folder.path, new Date(0), new Date(0));
    // Two heartbeats within a millisecond would set the same modification time.
    const before = Date.now();
    await until('the next millisecond', () => Date.now() > before);
    await clock.advance(10_000);
    await until('the sign of life', () => statSync(folder.path).mtimeMs > 0);
    await passAfter(20);
  }
  expect(existsSync(join(folder.path, 'upload'))).toBe(true);
  await folder.close();
  expect(readdirSync(parent)).toEqual([]);
});

it('recreates a folder that was deleted while its process was frozen', async () => {
  const folder = await openWithFile('frozen.1');
  rmSync(folder.path, { recursive: true });
  await clock.advance(10_000);
  await until('it to be there', () => existsSync(folder.path));
  await folder.close();
});

it('deletes a file of the previous version after an hour, and works without a folder', async () => {
  writeFileSync(join(parent, 'old'), 'x');
  await passAfter(0);
  expect(await passAfter(3_500)).toEqual(['old']);
  expect(await passAfter(200)).toEqual([]);
  rmSync(parent, { recursive: true });
  await spools.pass();
  mkdirSync(parent);
});
