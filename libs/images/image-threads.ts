import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { EngineError } from '#libs/contract/engine-error.js';
import { AppError } from '#libs/contract/errors.js';
import type * as tasks from './thread.js';
import type { Refusal } from './thread.js';

export type { PictureFiles } from './thread.js';

type Tasks = typeof tasks;
type Input<N extends keyof Tasks> = Omit<Parameters<Tasks[N]>[0], 'port'>;
type Output<N extends keyof Tasks> = Exclude<Awaited<ReturnType<Tasks[N]>>, Refusal>;

/**
 * Threads run compiled code: beside this file in the build, and in the build that the tests make when this file is
 * run from its source.
 */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/libs/images/thread.js' : './thread.js',
  import.meta.url,
);

/** Twelve megapixels take some 450 MB while they are worked on, fifty four times as much: so few at the same time. */
const THREADS = Math.min(2, availableParallelism());

const pool = new Piscina({
  filename: entry.href,
  minThreads: 0,
  maxThreads: THREADS,
  concurrentTasksPerWorker: 1,
  // A thread that has nothing to do gives its memory back, OpenCV's with it.
  idleTimeout: 30_000,
  resourceLimits: { maxOldGenerationSizeMb: 1024 },
  // Piscina's own measuring keeps a sample of each task for nobody to read.
  recordTiming: false,
});

/**
 * Has an image thread do a task: pictures are computed away from the event loop. Waits for a free thread; aborting
 * ends the wait, or the thread with all that it holds.
 * @param onStep is told each step as it begins
 * @throws AppError, EngineError as the task does; the signal's reason when it is aborted
 */
export async function onImageThread<N extends keyof Tasks>(
  name: N,
  input: Input<N>,
  signal: AbortSignal,
  onStep: (step: string) => void = () => undefined,
): Promise<Output<N>> {
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onStep);
  try {
    const answer = (await pool.run({ ...input, port: port2 }, { name, signal, transferList: [port2] })) as
      Output<N> | Refusal;
    signal.throwIfAborted();
    if (isRefusal(answer)) throw toError(answer);
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    port1.close();
  }
}

const isRefusal = (answer: object): answer is Refusal => 'refused' in answer;

const toError = (refusal: Refusal): Error =>
  refusal.refused === 'app'
    ? new AppError(refusal.code, refusal.message, { details: refusal.details })
    : new EngineError(refusal.message, { retryable: refusal.retryable });
