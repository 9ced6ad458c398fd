import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, ended, terminate, type Exit } from './processes.ts';
import type { ProgramOutput } from './program-output.ts';
import { sayOf } from './terminal.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A program that ran this long has started well: its next pause is a short one again. */
const RAN_WELL_MS = 30_000;

export interface KeptProgramOptions {
  name: string;
  start: () => ChildProcess;
  output: ProgramOutput;
  /** Asks it to finish what it does and end. */
  stopSignal: NodeJS.Signals;
  /** How long that may take before it is killed. */
  stopWithinMs: number;
  /** The exit code by which it says that starting it again is of no use, and whom to tell, with its last words. */
  refusal?: { code: number; publish: (words: string) => void };
}

/** A program that is started again whenever it ends unasked, with growing pauses. */
export class KeptProgram {
  readonly #options: KeptProgramOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  /** How often it was started. */
  starts = 0;

  constructor(options: KeptProgramOptions) {
    this.#options = options;
    void this.#keep();
  }

  /** Resolves once it has ended, for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#child) await terminate(this.#child, this.#options.stopSignal, this.#options.stopWithinMs);
  }

  /** Ends it at once and for good. */
  kill(signal: NodeJS.Signals = 'SIGKILL') {
    this.#stopping.abort();
    this.#child?.kill(signal);
  }

  get #isStopping() {
    return this.#stopping.signal.aborted;
  }

  async #keep() {
    const { name, start, output, refusal } = this.#options;
    for (let pauseMs = FIRST_PAUSE_MS; !this.#isStopping; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now();
      this.#child = start();
      output.follow(this.#child);
      if (this.starts++ > 0) sayOf(name, 'started again');
      const exit = await endOf(this.#child);
      if (this.#isStopping) return;
      if (refusal && exit.code === refusal.code) return refusal.publish(output.lastWords());
      if (performance.now() - startedAt > RAN_WELL_MS) pauseMs = FIRST_PAUSE_MS;
      const cause = output.cause() && ` (${output.cause()})`;
      sayOf(name, `ended ${describeExit(exit)}${cause}; it starts again in ${pauseMs / 1000} s`, 'yellow');
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }
}

/** A program that cannot even be started counts as one that ended. */
const endOf = (child: ChildProcess): Promise<Exit> => ended(child).catch(() => ({ code: 127, signal: null }));
