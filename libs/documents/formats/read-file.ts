import { LimitExceeded } from '#libs/contract/errors.js';
import type { ResumeLineChange } from '#libs/contract/resume-lines.js';
import { ThreadPool } from '#libs/local-engine/threads/thread-pool.js';
import type { FileReading } from './file-reading.js';
import { unreadableDocument } from './refusals.js';
import type { Replacement } from './replace-lines.js';
import type * as Tasks from './thread.js';

const threads = new ThreadPool({ heapMb: 512, cpuMs: 8_000 });
/** Runs in an api, which has less memory than a worker. */
const writers = new ThreadPool({ heapMb: 256, cpuMs: 8_000 });
const TASKS = import.meta.resolve('#libs/documents/formats/thread.js');
const run = threads.tasks<typeof Tasks>(TASKS);
const write = writers.tasks<typeof Tasks>(TASKS);

/** Maximum characters of a document's text: about ten long novels. */
const MAX_CHARACTERS = 10_000_000;

/**
 * Reads the text of a Word document (.docx), web page, Markdown or plain text in a thread, because some files block a process
 * or exhaust its memory. Fetches nothing.
 * @param isMarkdown true to read a text as Markdown, which its bytes do not tell
 * @throws AppError UNREADABLE_DOCUMENT, or UNSUPPORTED_FILE for files of other types; the signal's reason
 */
export async function readFile(
  bytes: Uint8Array,
  isMarkdown: boolean,
  signal: AbortSignal,
): Promise<FileReading> {
  try {
    // A copy, because a view of a larger buffer would be sent with all of it.
    const reading = await run('read', { bytes: new Uint8Array(bytes), isMarkdown }, signal);
    if (reading.pages.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS)
      throw unreadableDocument('heavy');
    return reading;
  } catch (error) {
    throw isTooMuch(error) ? unreadableDocument('heavy', error) : error;
  }
}

/** A deeply nested file can exceed the stack of its thread, which is a RangeError. */
const isTooMuch = (error: unknown) =>
  error instanceof LimitExceeded || (error as Error).name === 'RangeError';

/** Replaces lines of a Word document in a thread. @throws AppError UNREADABLE_DOCUMENT; the signal's reason */
export async function replaceWordLines(
  bytes: Uint8Array,
  changes: ResumeLineChange[],
  signal: AbortSignal,
): Promise<Replacement> {
  try {
    return await write('replace', { bytes: new Uint8Array(bytes), changes }, signal);
  } catch (error) {
    throw isTooMuch(error) ? unreadableDocument('heavy', error) : error;
  }
}
