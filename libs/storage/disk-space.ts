import { statfs } from 'node:fs/promises';
import { AppError } from '#libs/contract/errors.js';
import { diskFree, diskReserved } from '#libs/observability/metrics.js';

/** Codes for a full disk, a quota of the operating system, and its limit for one file. */
const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Whether an error means that there is no space for a file. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return CODES.includes(String(code)) || (cause !== undefined && isDiskFull(cause));
};

const RETRY_SECONDS = 60;

export const diskFull = (cause?: unknown): AppError =>
  new AppError(
    'DISK_FULL',
    'The server is out of disk space and cannot accept files at the moment. Nothing was charged. Try again later.',
    { cause, retryAfterSeconds: RETRY_SECONDS },
  );

export class DiskSpace {
  /** @param minFree bytes that uploads leave free, for the database and the logs on the same disk */
  constructor(
    private readonly folders: string[],
    private readonly minFree: number,
  ) {}

  /** @throws AppError DISK_FULL when a disk has less free space than that */
  async requireSpace(): Promise<void> {
    if ((await this.free()) < this.minFree) throw diskFull();
  }

  async collect(): Promise<void> {
    const free = await this.free();
    if (Number.isFinite(free)) diskFree.set(free);
    diskReserved.set(this.minFree);
  }

  private async free(): Promise<number> {
    return Math.min(...(await Promise.all(this.folders.map(freeBytes))));
  }
}

/** The free bytes for processes without root's rights; infinite for a missing folder. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
