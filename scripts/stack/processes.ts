import type { Writable } from 'node:stream';
import { execa, type Options } from 'execa';
import { CommandError, CONFIGURATION_EXIT_CODE, WrongConfiguration } from './terminal.ts';

/** `with exit code 3` or `by signal SIGKILL`. */
export const describeExit = ({ exitCode, signal }: { exitCode?: number; signal?: NodeJS.Signals }) =>
  signal ? `by signal ${signal}` : `with exit code ${exitCode}`;

/** Runs a command to its end. @throws CommandError with its output when it fails */
export async function run(
  command: string,
  args: string[],
  options: Pick<Options, 'cwd' | 'env' | 'uid' | 'gid' | 'cancelSignal'> = {},
): Promise<void> {
  const { failed, exitCode, shortMessage, all } = await execa(command, args, {
    ...options,
    extendEnv: options.env === undefined,
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  if (exitCode === CONFIGURATION_EXIT_CODE) throw new WrongConfiguration(all);
  if (failed) throw new CommandError(`${shortMessage}\n${all}`);
}

type BackgroundOptions = Pick<Options, 'cwd' | 'uid' | 'gid' | 'ipc' | 'killSignal'> & {
  env: NodeJS.ProcessEnv;
  /** Milliseconds after `kill()` until SIGKILL. */
  forceKillAfterDelay: number;
  /** Inherited as file descriptor 3. */
  inherited?: Writable;
};

export type BackgroundProcess = ReturnType<typeof startInBackground>;

/** Starts a process in a group of its own, which Ctrl-C does not reach. The returned process is a promise of its end. */
export const startInBackground = (
  command: string,
  args: string[],
  { inherited, ...options }: BackgroundOptions,
) =>
  execa(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', inherited ?? 'ignore'],
    extendEnv: false,
    detached: true,
    buffer: false,
    reject: false,
  });

export interface Watchdog {
  /** Delays the watchdog until every process that inherited this stream has ended too. */
  pipe: Writable;
  cancel: () => Promise<void>;
}

/**
 * Runs `command` when this process has ended, also by SIGKILL: the watchdog reads from a pipe, and the read ends when all
 * processes that hold the other end have ended.
 */
export function startWatchdog(command: string[], user: Pick<Options, 'uid' | 'gid'> = {}): Watchdog {
  const shell = execa('/bin/sh', ['-c', 'read -r _; exec "$@"', 'pressroom-watchdog', ...command], {
    ...user,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
    buffer: false,
    reject: false,
  });
  shell.nodeChildProcess.unref();
  return {
    pipe: shell.stdin,
    cancel: async () => {
      shell.nodeChildProcess.ref();
      shell.kill('SIGKILL');
      await shell;
    },
  };
}
