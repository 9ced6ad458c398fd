import { Worker } from 'node:worker_threads';
import { AppError, LimitExceeded } from '#libs/contract/errors.js';
import type { PdfAnswer } from './pdf-worker.js';

export interface ReadPdfOptions {
  signal: AbortSignal;
  /** Milliseconds of computing after which a file is given up. */
  cpuMs?: number;
  /** The same by the clock: a machine with much else to do is no fault of the file. */
  timeoutMs?: number;
  /** Of the thread's heap, and of what it holds beside it, in megabytes each. */
  memoryMb?: number;
}

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
  return answer.pages;
}

/** 300 pages, of about one megabyte, take one second: a small file that takes long is made to. */
const cpuMsFor = ({ length }: Uint8Array) => Math.min(3_000 + (length / 2 ** 20) * 2_000, 8_000);

async function askWorker(
  bytes: Uint8Array,
  { signal, cpuMs = cpuMsFor(bytes), timeoutMs = 40_000, memoryMb = 384 }: ReadPdfOptions,
): Promise<PdfAnswer> {
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
  const { promise, resolve, reject } = Promise.withResolvers<PdfAnswer>();
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

const unreadable = (why: keyof typeof refusals) =>
  new (why === 'heavy' ? LimitExceeded : AppError)('UNREADABLE_PDF', refusals[why]);
