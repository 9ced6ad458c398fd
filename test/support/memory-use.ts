import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The memory that a process has at this moment, in MB. */
export async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** Runs `work`. @returns the increase of a process's memory during it, at most, in MB */
export async function memoryUsedDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await memoryOf(pid);
  let most = before;
  let isOver = false;
  const ended = work().finally(() => (isOver = true));
  while (!isOver) most = Math.max(most, await memoryOf(pid));
  await ended;
  return most - before;
}
