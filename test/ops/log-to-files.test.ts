import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../../scripts/stack/root.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pressroom-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a shell command as the container of api runs its program. */
const run = (command: string, environment: Record<string, string> = {}) =>
  execa(inRoot('ops/log-to-files.pl'), ['api', 'sh', '-c', command], {
    env: { LOG_DIR: folder, ...environment },
    all: true,
    reject: false,
  });
const files = () =>
  readdirSync(folder).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const PREFIX = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ${hostname()} `;
const lines = (text: string) => text.split('\n').filter(Boolean);

describe('ops/log-to-files.pl', () => {
  it('writes the lines of both outputs to the file too, with the time in them or now', async () => {
    const { stdout, exitCode } = await run(
      `echo '{"level":30,"time":1764341631123,"msg":"one"}'; echo two >&2; printf three; exit 3`,
    );
    expect(exitCode).toBe(3);
    expect(stdout).toBe('{"level":30,"time":1764341631123,"msg":"one"}\ntwo\nthree');
    const [one, two, three] = lines(textOf('api.log'));
    const time = new Date(1764341631123).toISOString();
    expect(one).toBe(`${time} ${hostname()} {"level":30,"time":1764341631123,"msg":"one"}`);
    expect(two).toMatch(new RegExp(`${PREFIX}two$`));
    expect(three).toMatch(new RegExp(`${PREFIX}three$`));
    expect(Date.now() - Date.parse(two!.split(' ')[0]!)).toBeLessThan(60_000);
  });

  it('loses and mixes no line of several containers, and renames each full file once', async () => {
    const LINES = 4_000;
    // The files hold three times as much as is written, in ten parts.
    const count = (name: string) =>
      run(`i=0; while [ $i -lt ${LINES} ]; do i=$((i + 1)); echo "${name} $i ${'x'.repeat(60)}"; done`, {
        LOG_FILES_MB: '5.5',
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(count));
    expect(files().length).toBeGreaterThan(2);
    // The oldest lines are in the file with the highest number.
    const written = files()
      .reverse()
      .flatMap((name) => lines(textOf(name)));
    const format = new RegExp(`${PREFIX}[abcd] \\d+ x{60}$`);
    expect(written.filter((line) => !format.test(line))).toEqual([]);
    for (const name of ['a', 'b', 'c', 'd']) {
      const numbers = written
        .map((line) => line.split(' '))
        .filter((words) => words[2] === name)
        .map((words) => Number(words[3]));
      expect(numbers.sort((one, other) => one - other)).toEqual(
        Array.from({ length: LINES }, (_, i) => i + 1),
      );
    }
  });

  it('keeps ten files, with the newest lines', async () => {
    await run(`i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); echo "line $i ${'x'.repeat(60)}"; done`, {
      LOG_FILES_MB: '2',
    });
    expect(files()).toEqual(['api.log', ...Array.from({ length: 9 }, (_, i) => `api.log.${i + 1}`)]);
    const bytes = files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    // A file has at most one piece of the output, of 64 KB without the beginnings of its lines, more than its part.
    expect(bytes).toBeLessThan(2_000_000 + 10 * 150_000);
    expect(lines(textOf('api.log')).at(-1)).toContain(' line 60000 ');
  });

  it('lets the program go on without a folder, says so once, and writes again when there is one', async () => {
    rmSync(folder, { recursive: true });
    const program = run('while read line; do echo "$line"; done');
    let output = '';
    program.all.on('data', (chunk: Buffer) => (output += chunk.toString()));
    program.stdin.write('one\ntwo\n');
    await until('the second line', () => output.includes('two'));
    mkdirSync(folder);
    await until('a line in the file', () => {
      program.stdin.write('again\n');
      return files().length > 0 && textOf('api.log').includes('again');
    });
    program.stdin.end();
    expect((await program).exitCode).toBe(0);
    expect(output.match(/The log files cannot be written[^"]*/g)).toEqual([
      'The log files cannot be written, so lines are only in the log of this container: No such file or directory',
    ]);
    expect(textOf('api.log')).toMatch(/^\n\S+ \S+ at most \d+ lines could not be written here\.\n.* again\n/);
  });

  it('lets the program go on with a full disk', async () => {
    symlinkSync('/dev/full', join(folder, 'api.log'));
    const { exitCode, all } = await run('echo one; echo two');
    expect(exitCode).toBe(0);
    expect(all).toMatch(/^one$/m);
    expect(all).toMatch(/^two$/m);
    expect(all).toContain('No space left on device');
  });

  it.each(['TERM', 'USR1'] as const)('passes on SIG%s, and has the last lines', async (signal) => {
    const stopped = run(`trap 'echo stopping; exit 7' ${signal}; echo ready; while :; do sleep 0.05; done`);
    await until('the program', () => files().length > 0 && textOf('api.log').includes('ready'));
    stopped.kill(`SIG${signal}` as const);
    expect((await stopped).exitCode).toBe(7);
    expect(textOf('api.log')).toMatch(/ stopping\n$/);
  });

  it('passes on a signal that came before the program started', async () => {
    const start = 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); kill TERM => $$; exec @ARGV';
    const command = [inRoot('ops/log-to-files.pl'), 'api', 'sleep', '20'];
    const { exitCode } = await execa('perl', ['-MPOSIX', '-e', start, ...command], {
      env: { LOG_DIR: folder },
      reject: false,
    });
    expect(exitCode).toBe(128 + 15);
  });

  it('has the signal that ended the program', async () => {
    const { exitCode } = await run('echo last; kill -9 $$');
    expect(exitCode).toBe(137);
    expect(lines(textOf('api.log')).slice(-2)).toEqual([
      expect.stringMatching(/ last$/),
      expect.stringMatching(/"level":50,.*"program":"api","msg":"The program was ended by signal 9"}$/),
    ]);
  });

  it('ends with its program, though another process holds its output open', async () => {
    const { exitCode, all } = await run('sleep 20 & echo done');
    expect([exitCode, all]).toEqual([0, 'done']);
  });

  it.each(['many', '0', '0.0'])('refuses a wrong size: %s', async (size) => {
    expect(await run('true', { LOG_FILES_MB: size })).toMatchObject({
      exitCode: 78,
      stderr: 'LOG_FILES_MB must be a number of megabytes above 0.',
    });
  });

  it('has a size by default', async () => {
    expect(await run('true', { LOG_FILES_MB: '' })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
