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
  /** Waits for the memory of the process. @returns a function that releases it */
  takeMemory: (signal: AbortSignal) => Promise<() => void>;
  /** Called when a request has ended and no other waits. */
  onIdle: () => void;
}

interface Running {
  child: ChildProcess;
  ended: Promise<void>;
}

/**
 * Runs a model in its own process, which starts with the first request, handles one request at a time, and ends when it is
 * idle. A crash fails only the running request.
 */
export class ModelProcess<Kind extends RuntimeKind> {
  private running: Running | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private requests = 0;
  private cancelIdle = () => {};

  constructor(private readonly options: ModelProcessOptions & { kind: Kind }) {}

  /** True if the process holds memory and has no request. */
  get isIdle(): boolean {
    return this.running !== null && this.requests === 0;
  }

  /** The id of the process, while it runs. */
  get pid(): number | undefined {
    return this.running?.child.pid;
  }

  /**
   * Waits for earlier requests, then runs the model. Aborting the signal ends the process at once.
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
    // If this request is aborted while it waits, the next one still waits for the earlier requests.
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

  /** Ends the process and its request. Resolves when its memory is free. */
  async end(): Promise<void> {
    this.cancelIdle();
    const { running } = this;
    // The caller stays alive until the process has ended.
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
    const { kind, files, keepsMemory, embedding, takeMemory } = this.options;
    const release = await takeMemory(signal);
    const options: RunnerOptions = { kind, files, keepsMemory, ...(embedding && { embedding }) };
    const child = fork(fileURLToPath(PROGRAM), [JSON.stringify(options)], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ended = new Promise<void>((resolve) => {
      const onEnd = () => {
        release();
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
