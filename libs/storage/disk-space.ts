import { statfs } from 'node:fs/promises';
import { AppError } from '#libs/contract/errors.js';
import { diskFree, diskReserved } from '#libs/observability/metrics.js';

/** Errors of a full disk, a quota of the operating system, and its limit for one file. */
const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** True for an error that says a file could not be written since there is no space for it. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return CODES.includes(String(code)) || (cause !== undefined && isDiskFull(cause));
};

/** Free space changes when an operator makes room. */
const RETRY_SECONDS = 60;

export const diskFull = (cause?: unknown): AppError =>
  new AppError(
    'DISK_FULL',
    'This server is short of disk space, so it takes no files just now. Nothing was charged, and all else works; try again later.',
    { cause, retryAfterSeconds: RETRY_SECONDS },
  );

/** The free space of the folders that files of users are written to. */
export class DiskSpace {
  /** @param leastFree bytes that uploads leave free, for the database and the logs on the same disk */
  constructor(
    private readonly folders: string[],
    private readonly leastFree: number,
  ) {}

  /** @throws AppError DISK_FULL when a disk has less free space than is to be left */
  async requireSpace(): Promise<void> {
    if ((await this.free()) < this.leastFree) throw diskFull();
  }

  /** For metrics. */
  async collect(): Promise<void> {
    const free = await this.free();
    if (Number.isFinite(free)) diskFree.set(free);
    diskReserved.set(this.leastFree);
  }

  private async free(): Promise<number> {
    return Math.min(...(await Promise.all(this.folders.map(freeBytes))));
  }
}

/** What a process without the rights of root may still write. Unknown for a folder that is not there. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
