import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type BackgroundProcess } from './processes.ts';
import type { ProcessOutput } from './process-output.ts';
import { printFrom } from './terminal.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** After running this long, the next restart has the first delay again. */
const STABLE_AFTER_MS = 30_000;

export interface SupervisedProcessOptions {
  name: string;
  start: () => BackgroundProcess;
  output: ProcessOutput;
  /** An exit code after which a restart is of no use; `onExit` gets the last lines of stderr. */
  fatal?: { exitCode: number; onExit: (lastLines: string) => void };
}

/** A process that is restarted when it ends, with a growing delay. */
export class SupervisedProcess {
  private readonly options: SupervisedProcessOptions;
  private readonly stopping = new AbortController();
  private current: BackgroundProcess | undefined;
  starts = 0;

  constructor(options: SupervisedProcessOptions) {
    this.options = options;
    void this.supervise();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.current?.kill();
    await this.current;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL') {
    this.stopping.abort();
    this.current?.kill(signal);
  }

  private async supervise() {
    const { name, start, output, fatal } = this.options;
    const { signal } = this.stopping;
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      const startedAt = performance.now();
      this.current = start();
      output.follow(this.current);
      if (this.starts++ > 0) printFrom(name, 'started again');
      const exit = await this.current;
      if (signal.aborted) return;
      if (fatal && exit.exitCode === fatal.exitCode) return fatal.onExit(output.lastLines());
      if (performance.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS;
      const cause = output.cause() && ` (${output.cause()})`;
      printFrom(
        name,
        `ended ${describeExit(exit)}${cause}; it starts again in ${delayMs / 1000} s`,
        'yellow',
      );
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }
}
