import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { KeptProgram } from './kept-program.ts';
import { freePort } from './ports.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { run, terminate, whenGone } from './processes.ts';
import { ProgramOutput } from './program-output.ts';
import { Refusal } from './terminal.ts';

const USER = 'pressroom';

/** PostgreSQL's own words for its signals: fast ends open connections, immediate leaves the rest to recovery. */
const FAST: NodeJS.Signals = 'SIGINT';
const IMMEDIATE: NodeJS.Signals = 'SIGQUIT';

const STOP_WITHIN_MS = 30_000;
/** Recovery after a crash may take a while. */
const READY_WITHIN_MS = 120_000;
const STARTS_BEFORE_GIVING_UP = 3;

export interface PostgresOptions {
  place: PostgresPlace;
  logPath: string;
  /** False gives up safety against a crash for speed, for data that nobody will miss. */
  durable?: boolean;
  /** What to run when this process is gone without having stopped it, once it is down. */
  afterwards?: string;
  signal?: AbortSignal;
}

export interface Postgres {
  /** The address of one of its databases, with the password in it. */
  url: (database: string) => string;
  /** A stream to hand to every child that needs the database: it stays up until the last of them is gone. */
  tether: Writable | null;
  stop: () => Promise<void>;
  /** Stops it without ceremony. */
  kill: () => void;
}

/** Starts PostgreSQL on a free port of 127.0.0.1, on data of its own, made if need be; started again if it ends. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { place, durable = true, signal } = options;
  const { home, user, binaries } = place;
  const data = join(home, 'data');
  const asUser = { ...user, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };

  if (!existsSync(data)) await initialise(place, { durable, signal });
  await stopLeftOver(place);

  const port = await freePort();
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }),
  };
  const output = new ProgramOutput('database', options.logPath);
  const program = new KeptProgram({
    name: 'database',
    output,
    stopSignal: FAST,
    stopWithinMs: STOP_WITHIN_MS,
    start: () =>
      spawn(
        binaries.postgres,
        [
          '-D',
          data,
          '-p',
          String(port),
          ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        { ...asUser, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
      ),
  });
  const stopCommand = `"$0" stop -D "$1" -m fast -s; ${options.afterwards ?? ':'}`;
  const tether = whenGone(['/bin/sh', '-c', stopCommand, binaries.pg_ctl, data], user);
  const release = () => terminate(tether, 'SIGKILL', 0);

  try {
    await accepting(url('postgres'), { program, output, logPath: options.logPath, signal });
  } catch (error) {
    await program.stop();
    await release();
    throw error;
  }
  return {
    url,
    tether: tether.stdin,
    stop: async () => {
      await program.stop();
      await release();
    },
    kill: () => program.kill(IMMEDIATE),
  };
}

/** Makes the cluster. It appears in its place only when whole, so that a start stopped in the middle does no harm. */
async function initialise(
  { home, user, binaries }: PostgresPlace,
  { durable, signal }: { durable: boolean; signal?: AbortSignal },
) {
  const password = join(home, 'password');
  const unfinished = join(home, 'data.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(password, { force: true });
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (user) chownSync(password, user.uid, user.gid);
  const flags = [
    `--pgdata=${unfinished}`,
    `--username=${USER}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    // The provider built into PostgreSQL sorts the same on every machine, whatever its own locales are.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  await run(binaries.initdb, flags, {
    ...user,
    cwd: home,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    signal,
  });
  renameSync(unfinished, join(home, 'data'));
}

/** A server whose starter was killed may still run on this data, until the programs that use it are gone. */
async function stopLeftOver({ home, user, binaries }: PostgresPlace) {
  const data = join(home, 'data');
  if (!existsSync(join(data, 'postmaster.pid'))) return;
  const asUser = { ...user, cwd: home };
  const pgCtl = (...args: string[]) => run(binaries.pg_ctl, [...args, '-D', data], asUser);
  try {
    await pgCtl('status');
  } catch {
    return;
  }
  await pgCtl('stop', '-m', 'smart', '-t', '10').catch(() => pgCtl('stop', '-m', 'fast'));
}

interface Waiting {
  program: KeptProgram;
  output: ProgramOutput;
  logPath: string;
  signal?: AbortSignal;
}

async function accepting(url: string, { program, output, logPath, signal }: Waiting) {
  const until = performance.now() + READY_WITHIN_MS;
  while (!(await accepts(url))) {
    if (program.starts > STARTS_BEFORE_GIVING_UP || performance.now() > until) {
      throw new Refusal(
        `The embedded PostgreSQL does not start; ${logPath} says why.\n${output.lastWords()}`,
      );
    }
    await sleep(30, undefined, { signal });
  }
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Makes an empty database unless there is one of that name. */
export async function ensureDatabase(postgres: Postgres, name: string) {
  const { rowCount } = await query(
    postgres.url('postgres'),
    `SELECT 1 FROM pg_database WHERE datname = '${name}'`,
  );
  if (!rowCount) await query(postgres.url('postgres'), `CREATE DATABASE "${name}"`);
}
