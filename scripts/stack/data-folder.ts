import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from './terminal.ts';

/** What a running start tells other commands about itself, in a file that only its owner reads. */
export interface Running {
  pid: number;
  address: string;
  /** With the password in it. */
  databaseUrl: string | null;
}

/** The folder that holds what outlives a run: the database, files, secrets and logs. One command at a time has it. */
export interface DataFolder {
  path: string;
  /** Whether the command that had it last was killed, and may have left programs that are still stopping. */
  leftInHaste: boolean;
  /** A random word of 64 hexadecimal digits, made once for each name and kept readable by the owner only. */
  secret: (name: string) => string;
  /** The path of a log. */
  log: (program: string) => string;
  /** Tells other commands what runs here; null tells nothing yet but that it runs. */
  announce: (address: string, databaseUrl: string | null) => void;
  release: () => void;
}

const runningFile = (path: string) => join(path, 'running.json');

/**
 * Takes the folder for this process, and makes it if need be.
 * @throws Refusal when another command has it, or when it belongs to another user.
 */
export function openDataFolder(path: string): DataFolder {
  const lock = holdFolder(path);
  const leftInHaste = readRunning(path) !== null;
  const release = () => {
    rmSync(runningFile(path), { force: true });
    lock.close();
  };
  return {
    path,
    leftInHaste,
    secret: (name) => keepSecret(join(path, name)),
    log: (program) => join(path, 'logs', `${program}.log`),
    announce: (address, databaseUrl) => {
      const running: Running = { pid: process.pid, address, databaseUrl };
      rmSync(runningFile(path), { force: true });
      writeFileSync(runningFile(path), JSON.stringify(running), { mode: 0o600 });
    },
    release,
  };
}

/** What runs on a data folder, or null. It may have been killed since. */
export function readRunning(path: string): Running | null {
  try {
    return JSON.parse(readFileSync(runningFile(path), 'utf8')) as Running;
  } catch {
    return null;
  }
}

function holdFolder(path: string): DatabaseSync {
  try {
    // Where root starts it, PostgreSQL runs as another user, who has to pass through this folder.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    makeFolder(path, mode);
    makeFolder(join(path, 'logs'), 0o700);
    // Node has no lock on files but SQLite's, which the kernel lets go when the process ends, however it ends.
    const lock = new DatabaseSync(join(path, 'lock'));
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    throw new Refusal(whyNotHeld(path, error as NodeJS.ErrnoException));
  }
}

/** Node's own `recursive` never ends below /proc, where making a folder in one that exists fails with ENOENT. */
function makeFolder(path: string, mode: number) {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
}

/** SQLite's result codes: https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

function whyNotHeld(path: string, error: NodeJS.ErrnoException & { errcode?: number }): string {
  if (error.errcode === SQLITE_BUSY) {
    const running = readRunning(path);
    const where = running ? ` at ${running.address} (process ${running.pid})` : '';
    return `Pressroom already runs${where} on the data folder ${path}: stop it first, or choose another folder with DATA_DIR and another port with PORT.`;
  }
  return `The data folder ${path} cannot be used by this user: ${error.message}.`;
}

function keepSecret(file: string): string {
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
