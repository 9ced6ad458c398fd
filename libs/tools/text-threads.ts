import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** What a task of a thread takes, beside its input: where it tells of parts that are ready. */
export interface Told<Part> {
  port: MessagePort;
  /** Never there: it carries the type alone. */
  part?: Part;
}

/** A function in a file of its own that a thread runs; see {@link textTask}. */
export interface TextTask {
  file: string;
  name: string;
}

const pool = new Piscina({
  minThreads: 0,
  maxThreads: Math.min(2, availableParallelism()),
  concurrentTasksPerWorker: 1,
  // A thread that has nothing to do gives its memory back.
  idleTimeout: 30_000,
  resourceLimits: { maxOldGenerationSizeMb: 512 },
  recordTiming: false,
});

/**
 * Names a task. Threads run compiled code: in the build, or in the build that the tests make when this is run from its
 * source.
 * @param file the module's address, as `new URL('./thread.js', import.meta.url)` gives it
 * @param name what the module exports it as
 */
export function textTask(file: URL, name: string): TextTask {
  const isSource = import.meta.url.endsWith('.ts');
  return { file: isSource ? file.href.replace('/libs/tools/', '/dist/libs/tools/') : file.href, name };
}

/**
 * Computes away from the event loop: a long text takes a rule-based engine some hundred milliseconds, in which no lock
 * is renewed and no other job streams. Waits for a free thread; aborting ends the wait, or the thread.
 * @param input crosses to the thread as a copy, and so does the answer
 * @param onPart is told what the task posts on its port; not of what comes after its answer
 * @throws what the task throws; the signal's reason when it is aborted
 */
export async function onTextThread<Input extends object, Output, Part = never>(
  { file, name }: TextTask,
  input: Input,
  signal: AbortSignal,
  onPart: (part: Part) => void = () => undefined,
): Promise<Output> {
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onPart);
  try {
    const task = { ...input, port: port2 };
    return (await pool.run(task, { filename: file, name, signal, transferList: [port2] })) as Output;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    port1.close();
  }
}
