import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#libs/config/clock.js';

/** SQLite's result code: https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const RETRY_MS = 300;

/**
 * Waits until no other process fetches into the folder. The lock is one of SQLite, which the kernel releases when the
 * process ends in any way.
 * @param onWait called while another holds the lock
 * @returns a function that releases it
 */
export async function lockFolder(
  folder: string,
  signal: AbortSignal,
  clock: Clock,
  onWait: () => void = () => undefined,
): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  const { DatabaseSync } = await import('node:sqlite');
  for (;;) {
    signal.throwIfAborted();
    const lock = new DatabaseSync(join(folder, '.lock'));
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return () => lock.close();
    } catch (error) {
      lock.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    }
    onWait();
    await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
  }
}
