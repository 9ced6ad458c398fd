import { Worker } from 'node:worker_threads';
import { AppError } from '#libs/contract/errors.js';
import { normalisePages } from './normalise-pages.js';
import type { PdfAnswer } from './pdf-worker.js';

export interface ReadPdfOptions {
  signal: AbortSignal;
  /** Milliseconds of computing after which a file is given up; 300 pages take about one second. */
  cpuMs?: number;
  /** The same by the clock: a machine with much else to do is no fault of the file. */
  timeoutMs?: number;
  /** Of the thread's heap, and of what it holds beside it, in megabytes each. */
  memoryMb?: number;
}

/** Fewer letters and digits than this in a whole file are stray marks on a scan, or a page number. */
const ENOUGH_CHARACTERS = 20;
/** Characters of text that a file may have: some ten times a long novel. */
const MOST_CHARACTERS = 10_000_000;

const WATCH_EVERY_MS = 50;

const worker = new URL(import.meta.resolve('#libs/documents/pdf-worker.js'));

const refusals = {
  encrypted: 'This PDF is protected by a password. Save a copy without the password and upload that.',
  corrupt: 'This PDF is damaged and cannot be read. Export or save it again and upload the new file.',
  heavy: 'This PDF is too large or too complex inside to be read. Upload a simpler or shorter copy.',
  noText:
    'This PDF has no text layer, or hardly any text: it looks like a scan or a picture. Recognising text in pictures (OCR) is not available here; upload a PDF with text that can be selected.',
};

/**
 * The text of each page of a PDF, normalised; the first is page 1, and a page without text is `''`. The file is
 * read in a thread of its own, since files exist that block, fill or kill the process that reads them.
 * @throws AppError UNREADABLE_PDF for a file that is encrypted, corrupt, too heavy, or without enough text
 * @throws the signal's reason when it is aborted
 */
export async function readPdfPages(bytes: Uint8Array, options: ReadPdfOptions): Promise<string[]> {
  const answer = await askWorker(bytes, options);
  if ('failure' in answer) throw unreadable(answer.failure);
  if (answer.pages.reduce((sum, page) => sum + page.length, 0) > MOST_CHARACTERS) throw unreadable('heavy');
  const pages = await normalisePages(answer.pages);
  if (!hasEnoughText(pages)) throw unreadable('noText');
  return pages;
}

type Answer = PdfAnswer | { failure: 'heavy' };

async function askWorker(
  bytes: Uint8Array,
  { signal, cpuMs = 8_000, timeoutMs = 40_000, memoryMb = 384 }: ReadPdfOptions,
): Promise<Answer> {
  signal.throwIfAborted();
  // A copy to give away: what is handed to the thread, and to pdf.js in it, is gone from here.
  const copy = new Uint8Array(bytes);
  const thread = new Worker(worker, {
    workerData: copy,
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Taken and dropped: what pdf.js says of a damaged file does not belong in the log.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // The first of these wins. An error after the answer (pdf.js leaves rejections behind) changes nothing.
  thread.once('message', resolve);
  thread.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ failure: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'heavy' : 'corrupt' }),
  );
  thread.once('exit', () => resolve({ failure: 'corrupt' }));
  const timer = setTimeout(() => resolve({ failure: 'heavy' }), timeoutMs);
  const watch = setInterval(() => {
    void usageOf(thread).then((used) => {
      if (used.cpuMs > cpuMs || used.outsideMb > memoryMb) resolve({ failure: 'heavy' });
    });
  }, WATCH_EVERY_MS);
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}

/** What a thread has computed, and holds outside its heap: inflated streams are there, where no limit counts them. */
async function usageOf(thread: Worker): Promise<{ cpuMs: number; outsideMb: number }> {
  try {
    const [cpu, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1_000, outsideMb: heap.external_memory / 2 ** 20 };
  } catch {
    // It has ended.
    return { cpuMs: 0, outsideMb: 0 };
  }
}

const unreadable = (why: keyof typeof refusals) => new AppError('UNREADABLE_PDF', refusals[why]);

function hasEnoughText(pages: string[]): boolean {
  let count = 0;
  for (const page of pages) {
    count += page.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (count >= ENOUGH_CHARACTERS) return true;
  }
  return false;
}
