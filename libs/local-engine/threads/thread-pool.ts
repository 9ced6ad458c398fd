import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { LimitExceeded } from '#libs/contract/errors.js';
import { FairSlots } from '#libs/resilience/fair-slots.js';
import { countCpuTime, currentJobWork, type JobWork } from '#libs/resilience/job-work.js';
import { isFailure, toError, type TaskFailure } from './task-failure.js';
import type { Answer, TaskMessage } from './thread.js';

/** A task reports its progress to this port. */
export interface ProgressPort<Progress> {
  postMessage(progress: Progress): void;
}

/** A task sends questions to the thread that started it. */
export interface AskPort<Ask extends AnyAsk> {
  ask: Ask;
}
type AnyAsk = (question: never) => Promise<unknown>;

type Task = (input: never) => unknown;
type InputOf<T extends Task> = Omit<Parameters<T>[0], 'port'>;
type ProgressOf<T extends Task> = Parameters<T>[0] extends { port: ProgressPort<infer P> } ? P : never;
type AskOf<T extends Task> = Parameters<T>[0] extends { port: AskPort<infer A> } ? A : never;
type ResultOf<T extends Task> = Exclude<Awaited<ReturnType<T>>, TaskFailure>;

/** Runs the exported function `name` of a module on a thread. */
type RunTask<Tasks extends Record<keyof Tasks, Task>> = <N extends keyof Tasks & string>(
  name: N,
  input: InputOf<Tasks[N]>,
  signal: AbortSignal,
  onProgress?: (progress: ProgressOf<Tasks[N]>) => void,
  onAsk?: AskOf<Tasks[N]>,
) => Promise<ResultOf<Tasks[N]>>;

export interface ThreadLimits {
  heapMb: number;
  /** The most threads; default 2. */
  threads?: number;
  /** Milliseconds of CPU time after which a task is ended. CPU time, so a busy machine does not count. */
  cpuMs?: number;
}

const WATCH_EVERY_MS = 50;
/** Node.js's default lets every thread hold over 200 MB of garbage beside its heap. */
const YOUNG_MB = 48;

/**
 * Runs long computations on other threads; on the event loop they would delay lease renewals and other jobs' streams. A task's
 * input and result are copied between the threads.
 */
export class ThreadPool {
  private readonly pool: Piscina;
  private readonly slots: FairSlots;
  /** Threads of aborted tasks that have not ended yet. */
  private readonly ending = new Set<Promise<unknown>>();

  constructor(private readonly limits: ThreadLimits) {
    const { threads = Math.min(2, availableParallelism()) } = limits;
    this.slots = new FairSlots(threads, threads);
    this.pool = new Piscina({
      filename: import.meta.resolve('#libs/local-engine/threads/thread.js'),
      name: 'run',
      minThreads: 0,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      // An idle thread ends, which frees its memory.
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
      recordTiming: false,
    });
  }

  /**
   * The tasks that a module exports. A task waits for a free thread; aborting the signal ends the wait, or the thread. Within a
   * job, the task's CPU time counts as the job's if it is limited, and a free thread goes to the
   * waiting user who holds the fewest.
   * `onProgress` gets the messages that the task posts on its port, until the task returns. `onAsk` answers its questions; if it
   * rejects, so does the task.
   * The task rejects with its own error (AppError and EngineError keep their class), with LimitExceeded when it exceeds its CPU
   * time or memory, or with the signal's reason.
   * @param file URL of the compiled module
   */
  tasks<Tasks extends Record<keyof Tasks, Task>>(file: string): RunTask<Tasks> {
    return async (name, input, signal, onProgress = () => undefined, onAsk = undefined) => {
      const work = currentJobWork();
      const release = await this.slots.take(work?.userId ?? '', signal);
      const { port1, port2 } = new MessageChannel();
      const overdue = new AbortController();
      const stop = new AbortController();
      const started = Promise.withResolvers<void>();
      let endWatch = () => {};
      let hasEnded = false;
      let refused: { error: unknown } | undefined;
      const answer = async ({ id, question }: { id: number; question: unknown }) => {
        try {
          const value = await (onAsk as AnyAsk)(question as never);
          port1.postMessage({ id, value } satisfies Answer);
        } catch (error) {
          refused ??= { error };
          port1.postMessage({ id } satisfies Answer);
        }
      };
      port1.on('message', (message: TaskMessage) => {
        if ('progress' in message) onProgress(message.progress as never);
        else if ('question' in message) void answer(message);
        else {
          if (!hasEnded) endWatch = this.watch(message.startedOn, work, () => overdue.abort());
          started.resolve();
        }
      });
      const ends = AbortSignal.any([signal, overdue.signal]);
      const running = new Set<Worker>();
      // V8 ends the process if a thread is terminated while a module that awaits at its top level completes its evaluation.
      const endThread = async () => {
        await started.promise;
        this.pool.threads.forEach((thread) => running.add(thread));
        stop.abort();
      };
      const onAbort = () => void endThread();
      ends.addEventListener('abort', onAbort, { once: true });
      try {
        signal.throwIfAborted();
        const result: unknown = await this.pool.run(
          { file, name, input, port: port2 },
          { signal: stop.signal, transferList: [port2] },
        );
        signal.throwIfAborted();
        if (isFailure(result)) throw toError(result);
        return result as ResultOf<Tasks[typeof name]>;
      } catch (error) {
        this.waitForEnd(running);
        signal.throwIfAborted();
        if (refused) throw refused.error;
        const isTooMuch =
          overdue.signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
        throw isTooMuch ? new LimitExceeded('VALIDATION_FAILED', TOO_MUCH, { cause: error }) : error;
      } finally {
        ends.removeEventListener('abort', onAbort);
        hasEnded = true;
        release();
        endWatch();
        port1.close();
      }
    };
  }

  /** True if no thread runs. */
  get isEmpty(): boolean {
    return this.pool.threads.length === 0;
  }

  /** Resolves when the threads of aborted tasks have ended. Their native code may run for seconds after the abort. */
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

  /**
   * Counts the CPU time of a task for its job, and calls `onLimit` when the task exceeds its limit.
   * @returns a function that ends the watch
   */
  private watch(threadId: number, work: JobWork | undefined, onLimit: () => void): () => void {
    const { cpuMs } = this.limits;
    const thread = this.pool.threads.find((one) => one.threadId === threadId);
    if (cpuMs === undefined || !thread) return () => undefined;
    const used = async () => {
      const { user, system } = await thread.cpuUsage();
      return (user + system) / 1_000;
    };
    // A thread that has ended uses no CPU time.
    const begun = used().catch(() => Infinity);
    const count = countCpuTime(work);
    const timer = setInterval(() => {
      Promise.all([used(), begun]).then(
        ([now, then]) => {
          const spent = now - then;
          count(spent);
          if (spent > cpuMs) onLimit();
        },
        () => clearInterval(timer),
      );
    }, WATCH_EVERY_MS);
    return () => clearInterval(timer);
  }
}

const TOO_MUCH =
  'This text takes too long to read: it has far too many marks, brackets, nested lists or endless lines. Simplify or shorten it and try again.';
