import { Refusal, say, sayFailure } from './terminal.ts';

/** Two signals of one Ctrl-C may arrive, the terminal's and the one npm passes on; this far apart they are two wishes. */
const SAME_PRESS_MS = 500;

export interface Command {
  /** Aborted once the command is asked to stop: Ctrl-C, SIGTERM, SIGHUP, or the end of what started it. */
  signal: AbortSignal;
  /** What to undo at the end, the last first. */
  cleanup: AsyncDisposableStack;
  /** What to do when the user insists, by a second Ctrl-C. */
  insistences: (() => void)[];
}

/**
 * Runs a command that looks after other programs: what it registered in `cleanup` is undone however it ends, and only
 * then does this process end. The exit code is 0 for one that was asked to stop, 1 for one that failed, else what it
 * returned.
 */
export async function runCommand(work: (command: Command) => Promise<number | void>): Promise<never> {
  const controller = new AbortController();
  const command: Command = {
    signal: controller.signal,
    cleanup: new AsyncDisposableStack(),
    insistences: [],
  };
  let firstAt = 0;
  const interrupt = () => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      firstAt = now;
      controller.abort(new Refusal('Stopped.'));
    } else if (now - firstAt > SAME_PRESS_MS) {
      for (const insist of command.insistences) insist();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  process.on('disconnect', interrupt);
  // A terminal that was closed must not keep the command from stopping what it started.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  let exitCode = 0;
  try {
    exitCode = (await work(command)) ?? 0;
  } catch (error) {
    if (!controller.signal.aborted) {
      exitCode = 1;
      sayFailure(error);
    }
  }
  try {
    await command.cleanup.disposeAsync();
  } catch (error) {
    exitCode = 1;
    sayFailure(error);
  }
  process.exit(exitCode);
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await promise;
}

/** Says once that the programs are being stopped, when the user asks for it. */
export function tellStopping(signal: AbortSignal) {
  signal.addEventListener('abort', () =>
    say('\nStopping; jobs that run may finish or are handed back. Ctrl-C again to stop at once.'),
  );
}
