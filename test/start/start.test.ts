import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Running } from '../../scripts/stack/data-folder.ts';
import { query } from '../../scripts/stack/query.ts';
import { inRoot } from '../../scripts/stack/root.ts';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import { freePort } from '../support/ports.ts';
import { startS3 } from '../support/s3.ts';
import { testDatabase } from '../support/database.ts';
import { startProcess, type TestProcess } from '../support/process.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

/** `npm start` with an empty data folder; the tests follow one start to its end. */
describe('npm start', () => {
  let folder: string;
  let port: number;
  let start: TestProcess;

  const run = (environment: Record<string, string>) => startProcess('scripts/stack/start.ts', environment);
  const startHere = () => run({ DATA_DIR: folder, PORT: String(port) });
  /** The last line of the banner, since lines may arrive one by one. */
  const ready = (one: TestProcess) =>
    until('the last line of the banner', () => one.output().includes('Ctrl-C stops all of it'), {
      seconds: 240,
    });
  const running = () => JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as Required<Running>;
  const databaseUrl = () => running().databaseUrl ?? '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    port = await freePort();
    start = startHere();
    await ready(start);
  });

  afterAll(async () => {
    await start.kill('SIGTERM');
    const home = join(folder, 'postgres');
    if (existsSync(home)) rmSync(realpathSync(home), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers at the printed address, and prints its services', async () => {
    const banner = start.output();
    expect(banner).toContain(`http://localhost:${port}`);
    for (const [service, used] of Object.entries({
      database: 'embedded PostgreSQL',
      'queue, events': 'in the database',
      'object store': `files in ${folder}`,
      'AI engine': 'this server alone',
      accounts: 'email and password',
      'data and logs': folder,
    })) {
      expect(banner).toMatch(new RegExp(`^ +${service} +${used}`, 'm'));
    }
    expect(banner).toContain('Ctrl-C');
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
  });

  it('keeps its secrets out of the terminal, and readable by their owner alone', () => {
    for (const name of ['auth-secret', 'postgres/password']) {
      const file = join(folder, name);
      const secret = readFileSync(file, 'utf8').trim();
      expect(secret.length).toBeGreaterThanOrEqual(48);
      expect(start.output()).not.toContain(secret);
      expect(statSync(file).mode & 0o077).toBe(0);
    }
    expect(statSync(join(folder, 'running.json')).mode & 0o077).toBe(0);
  });

  it('refuses a second start on its data folder, in one sentence', async () => {
    const second = run({ DATA_DIR: folder, PORT: String(await freePort()) });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output()).toMatch(
      /^Pressroom already runs at http:\/\/localhost:\d+ \(process \d+\) on the data folder [^\n]*\n$/,
    );
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
  });

  it('refuses a second start on its port, in one sentence', async () => {
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const second = run({ DATA_DIR: other, PORT: String(port) });
    expect(await second.ended).toEqual({ code: 78, signal: null });
    expect(second.output()).toMatch(
      new RegExp(`^Another program already listens on port ${port} of 127\\.0\\.0\\.1: [^\\n]*\\n$`),
    );
    rmSync(other, { recursive: true });
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
  });

  it('is found by commands, with its secret and address', async () => {
    const cli = (command: string) =>
      execFileSync(process.execPath, ['scripts/stack/cli.ts', ...command.split(' '), '--json'], {
        ...{ cwd: inRoot(), encoding: 'utf8', stdio: 'pipe' },
        env: { PATH: process.env.PATH, DATA_DIR: folder },
      });
    await query(
      databaseUrl(),
      `INSERT INTO auth_users (id, name, email, "emailVerified", "createdAt", "updatedAt")
       VALUES ('ada', 'Ada', 'ada@example.com', true, now(), now())`,
    );
    const { link } = JSON.parse(cli('password ada@example.com')) as { link: string };
    expect(link).toMatch(new RegExp(`^http://localhost:${port}/`));
    expect(JSON.parse(cli('re-encrypt'))).toMatchObject({ unreadable: 0 });
  });

  it.each(['worker', 'api'])('starts a killed %s again, and says so', async (name) => {
    const killed = programPid(start.pid, `dist/${name}/main.js`);
    process.kill(killed, 'SIGKILL');
    const again = await until(`${name} again`, () => {
      const pid = findProgram(start.pid, `dist/${name}/main.js`);
      return pid === killed ? undefined : pid;
    });
    expect(again).not.toBe(killed);
    const said = new RegExp(`${name} +ended by signal SIGKILL; it starts again in 0\\.5 s`);
    await until('the message', () => said.test(start.output()));
    await until('the api answers', () => answers(port));
  });

  it('starts a killed PostgreSQL again, on the same address', async () => {
    const url = databaseUrl();
    process.kill(programPid(start.pid, '/postgres -D'), 'SIGKILL');
    await until('the end of PostgreSQL is printed', () =>
      /database +ended by signal SIGKILL/.test(start.output()),
    );
    await until('PostgreSQL answers', () => query(url, 'SELECT 1').then(Boolean, () => false));
    await until('the api is ready', () => answers(port));
  });

  it('stops at Ctrl-C with no process left, and has its data at the next start', async () => {
    await query(databaseUrl(), `CREATE TABLE kept AS SELECT 'still here, äöü' AS word`);
    const family = descendants(start.pid);
    expect(family.length).toBeGreaterThanOrEqual(4);

    // As a terminal and npm do: the signal comes twice for one press.
    process.kill(start.pid, 'SIGINT');
    expect(await start.kill('SIGINT')).toEqual({ code: 0, signal: null });
    expect(family.filter(isAlive)).toEqual([]);
    expect(existsSync(join(folder, 'running.json'))).toBe(false);

    start = startHere();
    await ready(start);
    const { rows } = await query(databaseUrl(), 'SELECT word FROM kept');
    expect(rows).toEqual([{ word: 'still here, äöü' }]);
  });

  it('leaves no process running when it is killed, and starts again afterwards', async () => {
    const family = descendants(start.pid);
    await start.kill('SIGKILL');
    await until('everything has ended', () => family.filter(isAlive).length === 0);
    start = startHere();
    await ready(start);
    expect(await start.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('uses the database that DATABASE_URL names, and starts none of its own', async () => {
    const database = await testDatabase();
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const one = run({ DATA_DIR: other, PORT: String(await freePort()), DATABASE_URL: database.url });
    await ready(one);
    const { host, password, pathname } = new URL(database.url);
    expect(one.output()).toContain(`PostgreSQL at ${host}${pathname} (DATABASE_URL)`);
    expect(one.output()).not.toContain(password);
    expect(existsSync(join(other, 'postgres'))).toBe(false);
    await one.kill('SIGTERM');
    await database.drop();
    rmSync(other, { recursive: true });
  });

  it('stops with the message of an invalid configuration', async () => {
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const one = run({ DATA_DIR: other, S3_BUCKET: 'pictures' });
    expect(await one.ended).toEqual({ code: 78, signal: null });
    expect(one.output()).toContain('S3_ENDPOINT');
    rmSync(other, { recursive: true });
  });

  it('stops with the documented exit code when its address belongs to another machine', async () => {
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const PORT = String(await freePort());
    const one = run({ DATA_DIR: other, PORT, HOST: '192.0.2.1', LOCAL_ACCOUNTS: 'true' });
    expect(await one.ended).toEqual({ code: 78, signal: null });
    expect(one.output()).toContain('HOST');
    rmSync(other, { recursive: true });
  });

  it('creates a missing bucket in the object store', async () => {
    const [s3, database] = [await startS3(), await testDatabase()];
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const environment = { DATA_DIR: other, PORT: String(await freePort()), DATABASE_URL: database.url };
    const one = run({ ...environment, ...s3.variables, S3_BUCKET: 'another' });
    await ready(one);
    await (await createObjectStore({ ...s3.config, bucket: 'another' })).ping();
    await one.kill('SIGTERM');
    await s3.stop();
    await database.drop();
    rmSync(other, { recursive: true });
  });

  it('stops with a sentence when the object store refuses its key', async () => {
    const [s3, database] = [await startS3(), await testDatabase()];
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const one = run({
      DATA_DIR: other,
      DATABASE_URL: database.url,
      PORT: String(await freePort()),
      ...s3.variables,
      S3_ACCESS_KEY: 'unknown',
    });
    expect(await one.ended).toEqual({ code: 78, signal: null });
    expect(one.output()).toContain(`S3_ACCESS_KEY must hold a key that ${s3.config.endpoint} accepts.`);
    await s3.stop();
    await database.drop();
    rmSync(other, { recursive: true });
  });

  it('reports in one sentence that the database of DATABASE_URL refuses connections or is awaited', async () => {
    const other = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
    const PORT = String(await freePort());
    const nobodys = `postgres://127.0.0.1:${await freePort()}/pressroom`;
    const waiting = run({ DATA_DIR: other, PORT, DATABASE_URL: nobodys });
    await until('it to wait', () => /^Still waiting: [^\n]*ECONNREFUSED/m.test(waiting.output()));
    expect(await waiting.kill('SIGINT')).toMatchObject({ code: expect.any(Number) });

    const database = await testDatabase();
    const address = new URL(database.url);
    address.pathname = '/nobodys';
    const wrong = run({ DATA_DIR: other, PORT, DATABASE_URL: address.href });
    expect(await wrong.ended).toEqual({ code: 78, signal: null });
    expect(wrong.output()).toMatch(/^DATABASE_URL must hold [^\n]*"nobodys" does not exist\.\n$/);
    await database.drop();
    rmSync(other, { recursive: true });
  });

  it('reports in one sentence that its data folder cannot be created', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'pressroom-start-')), 'file');
    writeFileSync(file, '');
    const one = run({ DATA_DIR: join(file, 'data'), PORT: String(await freePort()) });
    expect(await one.ended).toEqual({ code: 78, signal: null });
    expect(one.output()).toMatch(/^DATA_DIR must hold a folder in which this user can write\. [^\n]*\n$/);
    rmSync(dirname(file), { recursive: true });
  });
});

interface Listed {
  pid: number;
  parent: number;
  command: string;
}

function listProcesses(): Listed[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
  });
}

function descendantsOf(ancestor: number, all: Listed[]): Listed[] {
  const children = all.filter(({ parent, command }) => parent === ancestor && !command.startsWith('ps -A'));
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

const descendants = (ancestor: number) => descendantsOf(ancestor, listProcesses()).map(({ pid }) => pid);

const findProgram = (ancestor: number, command: string) =>
  descendantsOf(ancestor, listProcesses()).find((one) => one.command.includes(command))?.pid;

function programPid(ancestor: number, command: string): number {
  const pid = findProgram(ancestor, command);
  if (pid === undefined) throw new Error(`${command} does not run.`);
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const answers = (port: number) =>
  fetch(`http://localhost:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
