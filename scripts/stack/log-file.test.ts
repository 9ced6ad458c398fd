import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogFile } from './log-file.ts';

describe('a log file', () => {
  let folder: string;
  let path: string;
  let problems: string[];
  let now: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pressroom-log-'));
    path = join(folder, 'api.log');
    problems = [];
    now = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = () =>
    new LogFile(
      path,
      (error) => problems.push((error as NodeJS.ErrnoException).code ?? ''),
      () => now,
    );
  const line = (text: string) => Buffer.from(`${text}\n`);
  const read = () => readFileSync(path, 'utf8');

  it('keeps ten files of at most 10 MB, the newest lines first', () => {
    const log = open();
    for (let i = 0; i < 120; i += 1) log.write(Buffer.alloc(1_000_000, String(Math.floor(i / 10))));
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toHaveLength(10);
    for (const file of files) expect(statSync(file).size).toBeLessThanOrEqual(10 * 1024 * 1024);
    const newest = readFileSync(path);
    expect(newest.equals(Buffer.alloc(newest.length, '1'))).toBe(true);
    expect(newest.length).toBeGreaterThan(0);
    expect(existsSync(`${path}.9`)).toBe(true);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('drops lines while the disk is full, reports that once, and continues when there is space', () => {
    // Every write to this device fails with ENOSPC.
    symlinkSync('/dev/full', path);
    const log = open();
    for (let i = 0; i < 50; i += 1) {
      log.write(line('lost'));
      now += 100;
    }
    expect(problems).toEqual(['ENOSPC']);
    rmSync(path);
    now += 1_000;
    log.write(line('here again'));
    log.write(line('and again'));
    expect(read()).toBe('\n(250 bytes of this log could not be written)\nhere again\nand again\n');
    expect(problems).toHaveLength(1);
  });

  it('starts without a writable folder, and writes when it is available', () => {
    const missing = join(folder, 'missing');
    path = join(missing, 'api.log');
    const log = open();
    log.write(line('lost'));
    expect(problems).toEqual(['ENOENT']);
    symlinkSync(folder, missing);
    now += 1_000;
    log.write(line('here'));
    expect(read()).toMatch(/here\n$/);
  });
});
