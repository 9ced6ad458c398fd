import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#libs/config/clock.js';
import { EngineError } from '#libs/contract/engine.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import type { RunnerAnswer, RunnerOptions, RuntimeKind, RuntimeTasks } from './messages.js';

const PROGRAM = import.meta.resolve('#libs/models/runner/model-program.js');

/** A file of the model is not the one that was fetched. */
export class DamagedModel extends Error {
  override name = 'DamagedModel';
}

export interface ModelProcessOptions extends RunnerOptions {
  title: string;
  /** Milliseconds without a request after which the process ends. */
  idleMs: number;
  clock: Clock;
  /** Waits for the memory that the process takes. @returns a function that gives it back */
  takeMemory: (signal: AbortSignal) => Promise<() => void>;
  /** Called when a request has ended and no other waits. */
  onIdle: () => void;
}

interface Running {
  child: ChildProcess;
  ended: Promise<void>;
}

/**
 * A model in a process of its own: started with the first request, one request at a time, ended when it is idle. What
 * ends the process fails the request alone that runs on it.
 */
export class ModelProcess<Kind extends RuntimeKind> {
  private running: Running | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private requests = 0;
  private cancelIdle = () => {};

  constructor(private readonly options: ModelProcessOptions & { kind: Kind }) {}

  /** Whether it holds memory and works on nothing. */
  get isIdle(): boolean {
    return this.running !== null && this.requests === 0;
  }

  /** The id of the process, while there is one. */
  get pid(): number | undefined {
    return this.running?.child.pid;
  }

  /**
   * Waits for the requests before it, then runs the model. Aborting the signal ends the process at once.
   * @throws EngineError, retryable, when the process ended; DamagedModel; the signal's reason
   */
  async run(input: RuntimeTasks[Kind]['input'], signal: AbortSignal): Promise<RuntimeTasks[Kind]['output']> {
    signal.throwIfAborted();
    this.requests += 1;
    this.cancelIdle();
    const before = this.last;
    const turn = (async () => {
      await untilAborted(before, signal);
      return this.runNow(input, signal);
    })();
    // The next one waits for those before this one too, if this one is aborted while it waits.
    this.last = Promise.allSettled([before, turn]);
    try {
      return await turn;
    } finally {
      this.requests -= 1;
      if (this.requests === 0) {
        this.cancelIdle = this.options.clock.after(this.options.idleMs, () => void this.end());
        this.options.onIdle();
      }
    }
  }

  /** Ends the process, and whatever it works on. Resolves once its memory is free. */
  async end(): Promise<void> {
    this.cancelIdle();
    const { running } = this;
    // Whoever waits for the end keeps this process alive until then.
    running?.child.ref();
    running?.child.kill('SIGKILL');
    await running?.ended;
  }

  private async runNow(input: object, signal: AbortSignal): Promise<RuntimeTasks[Kind]['output']> {
    signal.throwIfAborted();
    const { child, ended } = (this.running ??= await this.start(signal));
    const stop = () => child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    const { promise, resolve } = Promise.withResolvers<RunnerAnswer>();
    child.on('message', resolve);
    try {
      child.ref();
      child.channel?.ref();
      child.send(input, () => undefined);
      const answer = await Promise.race([promise, ended]);
      signal.throwIfAborted();
      if (!answer) throw this.failure('its process ended');
      if ('output' in answer) return answer.output as RuntimeTasks[Kind]['output'];
      if (answer.isDamaged) throw new DamagedModel(answer.error);
      throw this.failure(answer.error);
    } catch (error) {
      // A process whose request was aborted or failed is not used again.
      await this.end();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      child.off('message', resolve);
      child.unref();
      child.channel?.unref();
    }
  }

  private async start(signal: AbortSignal): Promise<Running> {
    const { kind, files, keepsMemory, takeMemory } = this.options;
    const giveBack = await takeMemory(signal);
    const options: RunnerOptions = { kind, files, keepsMemory };
    const child = fork(fileURLToPath(PROGRAM), [JSON.stringify(options)], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ended = new Promise<void>((resolve) => {
      const onEnd = () => {
        giveBack();
        if (this.running?.child === child) this.running = null;
        resolve();
      };
      child.once('exit', onEnd);
      child.once('error', onEnd);
    });
    return { child, ended };
  }

  private failure(why: string): EngineError {
    return new EngineError(`The model ${this.options.title} on this server stopped unexpectedly.`, {
      retryable: true,
      scope: 'server',
      cause: new Error(why),
    });
  }
}
