import { execFileSync } from 'node:child_process';

/** Limits the size of the files that a running program may write, so that writes fail as on a full disk. */
export const limitFiles = (pid: number, bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
