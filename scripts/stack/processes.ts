import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { Refusal } from './terminal.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** `with exit code 3` or `by signal SIGKILL`. */
export const describeExit = ({ code, signal }: Exit) =>
  signal ? `by signal ${signal}` : `with exit code ${code}`;

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Resolves with how the child ended; a child that could not be started rejects. */
export async function ended(child: ChildProcess): Promise<Exit> {
  if (!hasEnded(child)) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

/** Sends a signal, and SIGKILL to a child that is still there after `withinMs`. Resolves when it has ended. */
export async function terminate(
  child: ChildProcess,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  child.ref();
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await ended(child);
  clearTimeout(timer);
}

export interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  /** Kills the command when aborted. */
  signal?: AbortSignal;
}

/**
 * Runs a command to its end and resolves with what it wrote.
 * @throws Refusal with what it wrote, when it fails.
 */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  await once(child, 'close');
  const text = Buffer.concat(output).toString().trim();
  if (child.exitCode !== 0) {
    throw new Refusal(
      `${[command, ...args].join(' ')} ended ${describeExit({ code: child.exitCode, signal: child.signalCode })}.\n${text}`,
    );
  }
  return text;
}

/**
 * Runs `command` once this process is gone, however it ended, and so is every child that was given `tether.stdin`
 * among its own streams: a reader sees the end of a pipe only when nobody holds its other side. Kill it to call it off.
 */
export function whenGone(
  command: string[],
  { uid, gid }: Pick<SpawnOptions, 'uid' | 'gid'> = {},
): ChildProcess {
  const tether = spawn('/bin/sh', ['-c', 'read -r _; exec "$@"', 'pressroom-watchdog', ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
    uid,
    gid,
  });
  tether.unref();
  return tether;
}
