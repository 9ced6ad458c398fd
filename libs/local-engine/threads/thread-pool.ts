import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { isFailure, toError, type TaskFailure } from './task-failure.js';

export interface ProgressPort<Progress> {
  postMessage(progress: Progress): void;
}

type Task = (input: never) => unknown;
type InputOf<T extends Task> = Omit<Parameters<T>[0], 'port'>;
type ProgressOf<T extends Task> = Parameters<T>[0] extends { port: ProgressPort<infer P> } ? P : never;
type ResultOf<T extends Task> = Exclude<Awaited<ReturnType<T>>, TaskFailure>;

/** Runs the exported function `name` of a module on a thread. */
type RunTask<Tasks extends Record<keyof Tasks, Task>> = <N extends keyof Tasks & string>(
  name: N,
  input: InputOf<Tasks[N]>,
  signal: AbortSignal,
  onProgress?: (progress: ProgressOf<Tasks[N]>) => void,
) => Promise<ResultOf<Tasks[N]>>;

/**
 * Runs long computations away from the event loop, where they would delay lease renewals and other jobs' streams.
 * A task's input and result are copied between the threads.
 */
export class ThreadPool {
  private readonly pool: Piscina;
  /** The threads that an aborted task ran on, until they have ended. */
  private readonly ending = new Set<Promise<unknown>>();

  constructor({ heapMb }: { heapMb: number }) {
    this.pool = new Piscina({
      minThreads: 0,
      maxThreads: Math.min(2, availableParallelism()),
      concurrentTasksPerWorker: 1,
      // An idle thread ends, so that its memory is freed.
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      recordTiming: false,
    });
  }

  /**
   * The tasks that a module exports. A task waits for a free thread; aborting the signal ends the wait, or the thread.
   * `onProgress` gets what the task posts on its port, and nothing after the task has returned.
   * The task rejects with what it threw (AppError and EngineError keep their class when the task uses
   * `catchFailure`), or with the signal's reason.
   * @param file URL of the compiled module
   */
  tasks<Tasks extends Record<keyof Tasks, Task>>(file: string): RunTask<Tasks> {
    return async (name, input, signal, onProgress = () => undefined) => {
      signal.throwIfAborted();
      const { port1, port2 } = new MessageChannel();
      port1.on('message', onProgress);
      const running = new Set<Worker>();
      const noteThreads = () => this.pool.threads.forEach((thread) => running.add(thread));
      signal.addEventListener('abort', noteThreads, { once: true });
      try {
        const task = { ...input, port: port2 };
        const answer: unknown = await this.pool.run(task, {
          filename: file,
          name,
          signal,
          transferList: [port2],
        });
        signal.throwIfAborted();
        if (isFailure(answer)) throw toError(answer);
        return answer as ResultOf<Tasks[typeof name]>;
      } catch (error) {
        this.waitForEnd(running);
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', noteThreads);
        port1.close();
      }
    };
  }

  /** Resolves once the threads of aborted tasks have ended: native code of theirs may go on for seconds. */
  async abortedThreadsEnded(): Promise<void> {
    await Promise.all(this.ending);
  }

  private waitForEnd(running: Set<Worker>): void {
    for (const thread of running) {
      if (this.pool.threads.includes(thread)) continue;
      const end = once(thread, 'exit').finally(() => this.ending.delete(end));
      this.ending.add(end);
    }
  }
}
