import { Worker } from 'node:worker_threads';
import { AppError, LimitExceeded } from '#libs/contract/errors.js';
import { FairSlots } from '#libs/resilience/fair-slots.js';
import { countCpuTime, currentJobWork } from '#libs/resilience/job-work.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import type { AttachmentAnswer, PdfAnswer, PdfTask, PictureAnswer } from './pdf-worker.js';
import type { PagePicture } from './render-page.js';

export interface ReadPdfOptions {
  signal: AbortSignal;
  /** Limit in milliseconds of CPU time, which does not depend on how busy the machine is. */
  cpuMs?: number;
  /** Limit in milliseconds of wall-clock time. */
  timeoutMs?: number;
  /** Limit in megabytes for the thread's heap, and the same limit again for its memory outside of the heap. */
  memoryMb?: number;
}

/** A PDF that is open in a worker thread. The caller must close it. */
export interface OpenPdf extends Extract<PdfAnswer, { pages: string[] }> {
  /**
   * Renders a page as a greyscale image of 300 dpi, without the page's text.
   * @returns null if the page is empty or no scan
   * @throws AppError UNREADABLE_PDF; the signal's reason
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
  empty: 'This PDF has no text, and no pictures of text: its pages are empty.',
  nothingRead:
    'No text could be read on the pages of this PDF: they look like pictures. Scan them again, straight, in good light and at 300 dpi, or upload a PDF with selectable text.',
};

/**
 * Reads a PDF in a worker thread, because some files block a process, exhaust its memory or crash it.
 * @returns the normalised text of each page; an empty string for a page without text
 * @throws AppError UNREADABLE_PDF if the file is encrypted, corrupt or too complex, or has too little text; the signal's
 *   reason
 */
export async function readPdfPages(bytes: Uint8Array, options: ReadPdfOptions): Promise<string[]> {
  const pdf = await openPdf(bytes, options);
  await pdf.close();
  if (!pdf.hasText) throw unreadable('noText');
  return pdf.pages;
}

/**
 * Limit of CPU time by file size. A usual file of one megabyte and 300 pages takes two seconds, a book of three megabytes and
 * 1,500 pages ten.
 */
const cpuMsFor = ({ length }: Uint8Array) => Math.min(4_000 + (length / 2 ** 20) * 6_000, 30_000);
/** Limit of wall-clock time, which a busy machine multiplies. */
const TIMEOUT_MS = 150_000;
/**
 * Limits for rendering a page. The largest allowed image, of 40 million pixels, takes 3 s and 320 MB: two copies of 4 bytes
 * each.
 */
const RENDERING = { cpuMs: 10_000, outsideMb: 640 };
/** Reading takes CPU time and memory, so that more at a time are not faster. One user leaves a slot to others. */
const readingSlots = new FairSlots(3, 2);
/** Lets the process render one page at a time, to limit its memory. */
const rendering = new MemoryBudget(1);

/**
 * Reads a PDF's text like {@link readPdfPages}, but accepts files without text, and keeps the file open until it is closed.
 */
export async function openPdf(
  bytes: Uint8Array,
  { signal, cpuMs = cpuMsFor(bytes), timeoutMs = TIMEOUT_MS, memoryMb = 384 }: ReadPdfOptions,
): Promise<OpenPdf> {
  const release = await readingSlots.take(currentJobWork()?.userId ?? '', signal);
  try {
    return await readText(startThread(bytes, signal, memoryMb), {
      signal,
      cpuMs,
      timeoutMs,
      outsideMb: memoryMb,
    });
  } finally {
    release();
  }
}

async function readText(thread: Worker, limits: Limits): Promise<OpenPdf> {
  const { signal, timeoutMs } = limits;
  const close = async () => void (await thread.terminate());
  try {
    const answer = await answerOf<PdfAnswer>(thread, limits);
    if ('failure' in answer) throw unreadable(answer.failure);
    return {
      ...answer,
      close,
      render: async (page) => {
        const end = await rendering.take(1, signal);
        try {
          const ofPage = { signal, timeoutMs, ...RENDERING };
          const drawn = await answerOf<PictureAnswer>(thread, ofPage, () => thread.postMessage(page));
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

/** Lets the process take out one attachment at a time, to limit its memory. */
const attachmentSlots = new MemoryBudget(1);

/**
 * Takes a file out of a PDF, in a worker thread.
 * @param name as in the list of the PDF's attachments
 * @returns null if the PDF has no attachment of this name
 * @throws AppError UNREADABLE_PDF; the signal's reason
 */
export async function readAttachment(
  bytes: Uint8Array,
  name: string,
  { signal, cpuMs = cpuMsFor(bytes), timeoutMs = TIMEOUT_MS, memoryMb = 384 }: ReadPdfOptions,
): Promise<Uint8Array | null> {
  const end = await attachmentSlots.take(1, signal);
  try {
    const thread = startThread(bytes, signal, memoryMb, name);
    try {
      const limits = { signal, cpuMs, timeoutMs, outsideMb: memoryMb };
      const answer = await answerOf<AttachmentAnswer>(thread, limits);
      if ('failure' in answer) throw unreadable(answer.failure);
      return answer.content;
    } finally {
      await thread.terminate();
    }
  } finally {
    end();
  }
}

function startThread(bytes: Uint8Array, signal: AbortSignal, memoryMb: number, attachment?: string): Worker {
  signal.throwIfAborted();
  // Transfers a copy, because a transferred buffer becomes unusable in this thread.
  const copy = new Uint8Array(bytes);
  const thread = new Worker(worker, {
    workerData: { bytes: copy, attachment } satisfies PdfTask,
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Captures and discards pdf.js's messages about damaged files, which are useless in the log.
    stdout: true,
    stderr: true,
  });
  // Ignores errors after a reply, such as unhandled rejections in pdf.js.
  thread.on('error', () => undefined);
  return thread;
}

interface Limits {
  signal: AbortSignal;
  cpuMs: number;
  timeoutMs: number;
  outsideMb: number;
}
type Failure = { failure: 'corrupt' | 'heavy' };

/**
 * Calls `ask` and waits for the next message of the thread.
 * @returns the message, or a failure if the thread ends or exceeds its limits
 * @throws the signal's reason
 */
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
  const count = countCpuTime();
  const watch = setInterval(() => {
    void Promise.all([begun, usageOf(thread)]).then(([before, used]) => {
      const spent = used.cpuMs - before.cpuMs;
      count(spent);
      if (spent > cpuMs || used.outsideMb > outsideMb) resolve({ failure: 'heavy' });
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

/**
 * Measures a thread's CPU time and its memory outside of the heap, which Node cannot limit and which holds inflated streams.
 */
async function usageOf(thread: Worker): Promise<{ cpuMs: number; outsideMb: number }> {
  try {
    const [cpu, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1_000, outsideMb: heap.external_memory / 2 ** 20 };
  } catch {
    // Throws if the thread has ended.
    return { cpuMs: 0, outsideMb: 0 };
  }
}

export const unreadable = (why: keyof typeof refusals) =>
  new (why === 'heavy' ? LimitExceeded : AppError)('UNREADABLE_PDF', refusals[why]);
