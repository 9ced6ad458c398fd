import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { locatePostgres, type PostgresLocation } from './postgres-location.ts';
import { ProcessOutput } from './process-output.ts';
import { run, startInBackground, startWatchdog } from './processes.ts';
import { query, withClient } from './query.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { CommandError } from './terminal.ts';

const USER = 'pressroom';

/** PostgreSQL's shutdown modes: fast closes open connections, immediate skips the checkpoint. */
const FAST: NodeJS.Signals = 'SIGINT';
const IMMEDIATE: NodeJS.Signals = 'SIGQUIT';

const CONNECT_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 30_000;
/** Includes the recovery after a crash. */
const START_TIMEOUT_MS = 120_000;
const MAX_STARTS = 3;

/** Linux keeps these files in memory: a disk is slow to create and delete the hundreds of files of a database. */
const MEMORY = '/dev/shm';
/** Room for 100 databases of tests and the write-ahead log. */
const MEMORY_NEEDED_BYTES = 3 * 1024 ** 3;

export interface PostgresOptions {
  /** The folder of its data, or a link to it: see {@link locatePostgres}. */
  path: string;
  logPath: string;
  /** False trades safety against a crash, and the time that a connection takes to guess its password, for speed. */
  durable?: boolean;
  /** A folder to delete, with the data, when it has stopped or this process has ended. */
  temporaryFolder?: string;
  /** More settings, by their names in postgresql.conf. */
  settings?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Postgres {
  /** The address of one of its databases, with the password in it. */
  url: (database: string) => string;
  home: string;
  /** After this process was killed, PostgreSQL keeps running until every process that inherited this stream has ended. */
  watchdogPipe: Writable;
  stop: () => Promise<void>;
  /** @param signal default: ends it without a checkpoint */
  kill: (signal?: NodeJS.Signals) => void;
}

/** Starts PostgreSQL on a free port of 127.0.0.1, creates its cluster if there is none, and restarts it when it ends. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { logPath, durable = true, temporaryFolder, signal } = options;
  const location = await locatePostgres(options.path);
  const { home, user, binaries } = location;
  const data = join(home, 'data');

  if (!existsSync(data)) await initialise(location, { durable, signal });
  await stopOrphan(location);

  const port = await freePort();
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Without the values of rows.
    log_error_verbosity: 'terse',
    ...(durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = new ProcessOutput('database', logPath);
  const server = new SupervisedProcess({
    name: 'database',
    output,
    start: () =>
      startInBackground(binaries.postgres, ['-D', data, ...args], {
        ...asUser(location),
        killSignal: FAST,
        forceKillAfterDelay: STOP_TIMEOUT_MS,
      }),
  });
  const temporary = temporaryFolder ? [temporaryFolder, home] : [];
  const stopCommand = '"$0" stop -D "$1" -m fast -s; shift; rm -rf "$@"';
  const watchdog = startWatchdog(['/bin/sh', '-c', stopCommand, binaries.pg_ctl, data, ...temporary], user);
  const stop = async () => {
    await server.stop();
    await watchdog.cancel();
    for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
  };

  try {
    await waitUntilAccepting(url('postgres'), { server, output, logPath, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, home, watchdogPipe: watchdog.pipe, stop, kill: (signal = IMMEDIATE) => server.kill(signal) };
}

/** Starts a PostgreSQL whose data is deleted when it has stopped or this process has ended. */
export function startTemporaryPostgres(
  options: Pick<PostgresOptions, 'durable' | 'settings'> = {},
): Promise<Postgres> {
  const base = options.durable === false && hasRoom(MEMORY) ? MEMORY : tmpdir();
  const folder = mkdtempSync(join(base, 'pressroom-postgres-'));
  // For root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o711);
  return startPostgres({
    ...options,
    path: join(folder, 'postgres'),
    logPath: join(folder, 'postgres.log'),
    temporaryFolder: folder,
  });
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > MEMORY_NEEDED_BYTES;
  } catch {
    return false;
  }
}

const asUser = ({ home, user }: PostgresLocation) => ({
  ...user,
  cwd: home,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
});

/** Creates the cluster under another name and renames it when complete, so that an interrupted start does no harm. */
async function initialise(
  location: PostgresLocation,
  { durable, signal }: { durable: boolean; signal?: AbortSignal },
) {
  const { home, user, binaries } = location;
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
    ...(durable ? ['--auth=scram-sha-256'] : ['--auth=password', '--set=scram_iterations=1']),
    // The built-in provider sorts the same on every machine.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  await run(binaries.initdb, flags, { ...asUser(location), cancelSignal: signal });
  renameSync(unfinished, join(home, 'data'));
}

/** Stops a server whose starter was killed: it runs on this data until the processes that use it have ended. */
async function stopOrphan(location: PostgresLocation) {
  const data = join(location.home, 'data');
  if (!existsSync(join(data, 'postmaster.pid'))) return;
  const pgCtl = (...args: string[]) => run(location.binaries.pg_ctl, [...args, '-D', data], asUser(location));
  try {
    await pgCtl('status');
  } catch {
    return;
  }
  await pgCtl('stop', '-m', 'smart', '-t', '10').catch(() => pgCtl('stop', '-m', 'fast'));
}

interface Start {
  server: SupervisedProcess;
  output: ProcessOutput;
  logPath: string;
  signal?: AbortSignal;
}

async function waitUntilAccepting(url: string, { server, output, logPath, signal }: Start) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const accepts = () => withClient(url, CONNECT_TIMEOUT_MS, async () => true).catch(() => false);
  while (!(await accepts())) {
    if (server.starts > MAX_STARTS || performance.now() > deadline) {
      throw new CommandError(
        `The embedded PostgreSQL does not start; ${logPath} says why.\n${output.lastLines()}`,
      );
    }
    await sleep(30, undefined, { signal });
  }
}

/** Creates an empty database unless there is one of that name. */
export async function ensureDatabase(postgres: Postgres, name: string) {
  const url = postgres.url('postgres');
  const { rowCount } = await query(url, `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
  if (!rowCount) await query(url, `CREATE DATABASE "${name}"`);
}
