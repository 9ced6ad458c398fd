import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '#libs/config/clock.js';

export const ABANDONED_PASS_MS = 10_000;
const HEARTBEAT_MS = 10_000;
/** Milliseconds without a heartbeat after which a folder is deleted if its process, on this machine, has ended. */
const DEAD_AFTER_MS = 30_000;
/** Milliseconds without a heartbeat after which any other folder is deleted. */
const ABANDONED_AFTER_MS = 5 * 60_000;
/** Milliseconds after which files outside of folders are deleted. Version 0.2 created such files. */
const OLD_FILE_MS = 3_600_000;

export const spoolsIn = (dataDir: string): string => join(dataDir, 'uploads');

/** Folder for temporary files of uploads, one for each process. A heartbeat updates its modification time. */
export class SpoolFolder {
  readonly path: string;
  private stopHeartbeat: () => void = () => undefined;

  constructor(
    parent: string,
    private readonly clock: Clock = systemClock,
    owner = `${hostname()}.${process.pid}`,
  ) {
    this.path = join(parent, `${owner}.${randomUUID()}`);
  }

  async open(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    this.stopHeartbeat = this.clock.every(HEARTBEAT_MS, () => void this.renew());
  }

  async close(): Promise<void> {
    this.stopHeartbeat();
    await rm(this.path, { recursive: true, force: true });
  }

  /**
   * Updates the modification time. Recreates the folder if another process has deleted it. Ignores errors, for example of a
   * full disk.
   */
  private async renew(): Promise<void> {
    const now = new Date();
    await utimes(this.path, now, now).catch(() =>
      mkdir(this.path, { recursive: true, mode: 0o700 }).catch(() => undefined),
    );
  }
}

interface Observed {
  changedAt: number;
  /** Time at which this `changedAt` was first observed, by the monotonic clock. */
  since: number;
}

/** Deletes spool folders of processes that were killed. Several processes may do this concurrently. */
export class AbandonedSpools {
  private observed = new Map<string, Observed>();

  constructor(
    private readonly parent: string,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Deletes the folders that have had no heartbeat for too long. */
  async pass(): Promise<void> {
    const found = await readdir(this.parent, { withFileTypes: true }).catch(() => []);
    const before = this.observed;
    this.observed = new Map();
    for (const entry of found) {
      const path = join(this.parent, entry.name);
      const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs;
      if (changedAt === undefined) continue;
      const earlier = before.get(entry.name);
      const observed = earlier?.changedAt === changedAt ? earlier : { changedAt, since: this.monotonic() };
      const limit = entry.isDirectory() ? limitOf(entry.name) : OLD_FILE_MS;
      if (this.monotonic() - observed.since < limit) this.observed.set(entry.name, observed);
      else await rm(path, { recursive: true, force: true });
    }
  }
}

function limitOf(name: string): number {
  const [, host, pid] = /^(.+)\.(\d+)\.[^.]+$/.exec(name) ?? [];
  return host === hostname() && !isAlive(Number(pid)) ? DEAD_AFTER_MS : ABANDONED_AFTER_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
