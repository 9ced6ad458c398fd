import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#libs/contract/errors.js';
import { diskFree, diskReserved } from '#libs/observability/metrics.js';

/** Error codes for a full disk, an exceeded disk quota and a file above the system's size limit. */
const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** True if the error or one of its causes means that there is no disk space for a file. */
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
  /** @param minFree bytes that uploads must leave free, for the database and the logs, which may be on the same disk */
  constructor(
    private readonly folders: string[],
    private readonly minFree: number,
  ) {}

  /** @throws AppError DISK_FULL if a disk has less than `minFree` bytes free */
  async requireSpace(): Promise<void> {
    if ((await this.free()) < this.minFree) throw diskFull();
  }

  async collect(): Promise<void> {
    const { free, reserved } = await this.measure();
    diskFree.set(free);
    diskReserved.set(reserved);
  }

  /** Free bytes on the fuller disk, and those that uploads leave free. */
  async measure(): Promise<{ free: number; reserved: number }> {
    return { free: await this.free(), reserved: this.minFree };
  }

  private async free(): Promise<number> {
    return Math.min(...(await Promise.all(this.folders.map(freeBytes))));
  }
}

/** Free bytes for users other than root where the folder is, or will be once a program makes it. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return freeBytes(parent);
  }
}
