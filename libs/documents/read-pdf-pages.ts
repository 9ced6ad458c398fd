import { Worker } from 'node:worker_threads';
import { AppError, LimitExceeded } from '#libs/contract/errors.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import type { PdfAnswer, PictureAnswer } from './pdf-worker.js';
import type { PagePicture } from './render-page.js';

export interface ReadPdfOptions {
  signal: AbortSignal;
  /** CPU time in milliseconds after which reading is aborted, so a busy machine does not count. */
  cpuMs?: number;
  /** Wall-clock time in milliseconds after which reading is aborted. */
  timeoutMs?: number;
  /** Limit for the thread's heap, and for its memory outside of the heap, in megabytes each. */
  memoryMb?: number;
}

/** A PDF that is open in its thread, which renders its pages. */
export interface OpenPdf extends Extract<PdfAnswer, { pages: string[] }> {
  /**
   * Renders a page as a grey picture of 300 dpi; null if it is empty or has text only.
   * @throws AppError UNREADABLE_PDF, the signal's reason
   */
  render(page: number): Promise<PagePicture | null>;
  close(): Promise<void>;
}

const WATCH_EVERY_MS = 50;

const worker = new URL(import.meta.resolve('#libs/documents/pdf-worker.js'));

const refusals = {
  encrypted: 'This PDF is protected by a password. Save a copy without the password and upload that.',
  corrupt: 'This PDF is damaged and cannot be read. Export or save it again and upload the new file.',
  heavy: 'This PDF is too large or too complex to be read. Upload a simpler or shorter copy.',
  noText:
    'This PDF has no text layer, or hardly any text: it looks like a scan or a picture. Text recognition (OCR) is not available here. Upload a PDF with selectable text.',
  empty: 'This PDF has hardly any text, and no pictures of text: its pages are empty or nearly empty.',
  nothingRead:
    'No text could be read on the pages of this PDF: they look like pictures. Scan them again, straight, in good light and at 300 dpi, or upload a PDF with selectable text.',
};

/**
 * The normalised text of each page of a PDF; the first is page 1, and a page without text is `''`. A thread reads the file,
 * since some files block a process, exhaust its memory or crash it.
 * @throws AppError UNREADABLE_PDF for a file that is encrypted, corrupt, too heavy, or without enough text
 * @throws the signal's reason when it is aborted
 */
export async function readPdfPages(bytes: Uint8Array, options: ReadPdfOptions): Promise<string[]> {
  const pdf = await openPdf(bytes, options);
  await pdf.close();
  if (!pdf.hasText) throw unreadable('noText');
  return pdf.pages;
}

/** 300 pages, of about one megabyte, take one second. A small file that takes long is crafted to. */
const cpuMsFor = ({ length }: Uint8Array) => Math.min(3_000 + (length / 2 ** 20) * 2_000, 8_000);
/** A page whose picture has 40 million pixels takes three seconds, and four bytes for each pixel, twice. */
const RENDERING = { cpuMs: 10_000, outsideMb: 640 };
/** The process renders one page at a time, because of the memory that it takes. */
const rendering = new MemoryBudget(1);

/** Reads a PDF's text like {@link readPdfPages}, and leaves the file open in its thread until the caller closes it. */
export async function openPdf(
  bytes: Uint8Array,
  { signal, cpuMs = cpuMsFor(bytes), timeoutMs = 40_000, memoryMb = 384 }: ReadPdfOptions,
): Promise<OpenPdf> {
  signal.throwIfAborted();
  // A copy, since a buffer that is transferred to the thread becomes unusable here.
  const copy = new Uint8Array(bytes);
  const thread = new Worker(worker, {
    workerData: copy,
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Captured and discarded: pdf.js's messages about damaged files do not belong in the log.
    stdout: true,
    stderr: true,
  });
  // Errors after an answer, such as unhandled rejections in pdf.js, are ignored.
  thread.on('error', () => undefined);
  const close = async () => void (await thread.terminate());
  try {
    const answer = await answerOf<PdfAnswer>(thread, { signal, cpuMs, timeoutMs, outsideMb: memoryMb });
    if ('failure' in answer) throw unreadable(answer.failure);
    return {
      ...answer,
      close,
      render: async (page) => {
        const end = await rendering.take(1, signal);
        try {
          const limits = { signal, timeoutMs, ...RENDERING };
          const drawn = await answerOf<PictureAnswer>(thread, limits, () => thread.postMessage(page));
          if ('failure' in drawn) throw unreadable(drawn.failure);
          return drawn.picture;
        } finally {
          end();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Limits {
  signal: AbortSignal;
  cpuMs: number;
  timeoutMs: number;
  outsideMb: number;
}
type Failure = { failure: 'corrupt' | 'heavy' };

/** The next message of a thread, or a failure if it ends or exceeds the limits. @throws the signal's reason */
async function answerOf<Answer>(
  thread: Worker,
  { signal, cpuMs, timeoutMs, outsideMb }: Limits,
  ask: () => void = () => undefined,
): Promise<Answer | Failure> {
  signal.throwIfAborted();
  const hasEnded = thread.threadId < 0;
  if (hasEnded) return { failure: 'corrupt' };
  const { promise, resolve, reject } = Promise.withResolvers<Answer | Failure>();
  const fail = ({ code }: NodeJS.ErrnoException) =>
    resolve({ failure: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'heavy' : 'corrupt' });
  const exit = () => resolve({ failure: 'corrupt' });
  thread.once('message', resolve);
  thread.once('error', fail);
  thread.once('exit', exit);
  const timer = setTimeout(() => resolve({ failure: 'heavy' }), timeoutMs);
  const begun = usageOf(thread);
  const watch = setInterval(() => {
    void Promise.all([begun, usageOf(thread)]).then(([before, used]) => {
      if (used.cpuMs - before.cpuMs > cpuMs || used.outsideMb > outsideMb) resolve({ failure: 'heavy' });
    });
  }, WATCH_EVERY_MS);
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    ask();
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    thread.off('message', resolve);
    thread.off('error', fail);
    thread.off('exit', exit);
    signal.removeEventListener('abort', abort);
  }
}

/** A thread's CPU time, and its memory outside of the heap, where inflated streams are and no limit of Node applies. */
async function usageOf(thread: Worker): Promise<{ cpuMs: number; outsideMb: number }> {
  try {
    const [cpu, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1_000, outsideMb: heap.external_memory / 2 ** 20 };
  } catch {
    // The thread has ended.
    return { cpuMs: 0, outsideMb: 0 };
  }
}

export const unreadable = (why: keyof typeof refusals) =>
  new (why === 'heavy' ? LimitExceeded : AppError)('UNREADABLE_PDF', refusals[why]);
