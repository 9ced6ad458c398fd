import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDataFolder, dataFolderProblem } from '../../libs/config/data-folder.ts';
import { CommandError, WrongConfiguration } from './terminal.ts';

/** Data about a running Pressroom for other commands, in a file that only its owner can read. */
export interface Running {
  pid: number;
  address: string;
  /** Contains the password. */
  databaseUrl: string | null;
}

/** The folder of the database, files, secrets and logs. One command at a time uses it. */
export interface DataFolder {
  path: string;
  /** True if the last command that used it was killed: its programs may still be stopping. */
  wasKilled: boolean;
  /** A random secret of 64 hexadecimal digits for each name, created once, readable by the owner only. */
  secret: (name: string) => string;
  log: (program: string) => string;
  /** Writes what {@link readRunning} reads; null until there is a database. */
  setRunning: (address: string, databaseUrl: string | null) => void;
  release: () => void;
}

const runningFile = (path: string) => join(path, 'running.json');

/** Locks the folder, and creates it if there is none. @throws CommandError when that is impossible */
export function openDataFolder(path: string): DataFolder {
  const lock = lockFolder(path);
  const wasKilled = readRunning(path) !== null;
  const release = () => {
    rmSync(runningFile(path), { force: true });
    lock.close();
  };
  return {
    path,
    wasKilled,
    secret: (name) => readOrCreateSecret(join(path, name)),
    log: (program) => join(path, 'logs', `${program}.log`),
    setRunning: (address, databaseUrl) => {
      const running: Running = { pid: process.pid, address, databaseUrl };
      rmSync(runningFile(path), { force: true });
      writeFileSync(runningFile(path), JSON.stringify(running), { mode: 0o600 });
    },
    release,
  };
}

/** The Pressroom that uses a data folder, or null. It may have been killed. */
export function readRunning(path: string): Running | null {
  try {
    return JSON.parse(readFileSync(runningFile(path), 'utf8')) as Running;
  } catch {
    return null;
  }
}

/** A secret that the folder has already. */
export function readSecret(path: string, name: string): string | undefined {
  try {
    return readFileSync(join(path, name), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function lockFolder(path: string): DatabaseSync {
  try {
    // For root, PostgreSQL runs as another user, who must be able to enter this folder.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    createDataFolder(path, mode);
    createDataFolder(join(path, 'logs'), 0o700);
    // Node.js has no file locks of its own. The kernel releases SQLite's when the process ends, however it ends.
    const lock = new DatabaseSync(join(path, 'lock'));
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    throw lockError(path, error as NodeJS.ErrnoException);
  }
}

/** SQLite's result codes: https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

function lockError(path: string, error: NodeJS.ErrnoException & { errcode?: number }): CommandError {
  if (error.errcode === SQLITE_BUSY) {
    const running = readRunning(path);
    const where = running ? ` at ${running.address} (process ${running.pid})` : '';
    return new CommandError(
      `Pressroom already runs${where} on the data folder ${path}: stop it first, or choose another folder with DATA_DIR and another port with PORT.`,
    );
  }
  return new WrongConfiguration(dataFolderProblem(path, error));
}

function readOrCreateSecret(file: string): string {
  try {
    if (statSync(file).size >= 64) return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('hex');
  rmSync(file, { force: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}
