import { CommandError, exitCodeOf, print, printError } from './terminal.ts';

/** A Ctrl-C may arrive twice, from the terminal and from npm. Signals further apart than this are two requests. */
const DUPLICATE_SIGNAL_MS = 500;
/** The exit code of shells after Ctrl-C. */
const STOPPED_EXIT_CODE = 130;

export interface Command {
  /** Aborted by Ctrl-C, SIGTERM, SIGHUP, or the end of the parent process. */
  signal: AbortSignal;
  /** Disposed of at the end, in reverse order. */
  cleanup: AsyncDisposableStack;
  /** Called on a second Ctrl-C. */
  onForceStop: (() => void)[];
}

/**
 * Runs a command that manages child processes, disposes of its `cleanup` however it ended, and exits: after a signal with
 * 0, or with 130 if the command proves something by its end (`mustEnd`); after an error with its code or 1; else with what
 * `work` returned.
 */
export async function runCommand(
  work: (command: Command) => Promise<number | void>,
  { mustEnd = false }: { mustEnd?: boolean } = {},
): Promise<never> {
  const controller = new AbortController();
  const command: Command = {
    signal: controller.signal,
    cleanup: new AsyncDisposableStack(),
    onForceStop: [],
  };
  let firstAt = 0;
  const interrupt = () => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      firstAt = now;
      controller.abort(new CommandError('Stopped.'));
    } else if (now - firstAt > DUPLICATE_SIGNAL_MS) {
      for (const forceStop of command.onForceStop) forceStop();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  process.on('disconnect', interrupt);
  // Writing to a closed terminal fails; the cleanup has to run all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  let exitCode = 0;
  try {
    exitCode = (await work(command)) ?? 0;
  } catch (error) {
    if (!controller.signal.aborted) {
      exitCode = exitCodeOf(error);
      printError(error);
    }
  }
  if (mustEnd && controller.signal.aborted) {
    exitCode = STOPPED_EXIT_CODE;
    printError(new CommandError('Stopped before its end.'));
  }
  try {
    await command.cleanup.disposeAsync();
  } catch (error) {
    exitCode = 1;
    printError(error);
  }
  process.exit(exitCode);
}

export async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await promise;
}

/** Prints that the programs are stopping once the signal is aborted. */
export function printOnStop(signal: AbortSignal) {
  signal.addEventListener('abort', () =>
    print('\nStopping; jobs that run may finish or are handed back. Ctrl-C again to stop at once.'),
  );
}
