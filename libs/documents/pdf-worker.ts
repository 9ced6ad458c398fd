import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type * as PdfJs from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfAttachment, PdfDetails } from '#libs/contract/pdf-details.js';
import { isInColumns } from './columns.js';
import type { PageItem } from './layout/page-items.js';
import { toPageText } from './layout/page-text.js';
import { countCharacters, mayBeScan, splitAtMiddle } from './maybe-scan.js';
import { normalisePages } from './layout/normalise-pages.js';
import type { EmbeddedFile } from './annotations/annotation.js';
import { findAttachments, readPageFiles, toAttachment } from './read-attachments.js';
import { readDetails, readLabels } from './read-details.js';
import { readPage } from './read-page.js';
import type * as RenderPage from './render-page.js';

// Entry point of a worker thread that reads one PDF, or takes one attachment out of it.

export interface PdfTask {
  bytes: Uint8Array;
  /** Name of the attachment to take out. If absent, the thread reads the PDF. */
  attachment?: string;
}

/** First message from the thread: the text of all pages. */
export type PdfAnswer =
  | {
      pages: string[];
      /** True if the file has enough text to be useful. */
      hasText: boolean;
      /** The pages that may be scans, by their text. */
      sparse: SparsePage[];
      /** Numbers of the pages whose text is in columns. */
      columns: number[];
      /** Printed page numbers, see {@link ReadDetails.readLabels}. */
      labels: string[] | null;
      details: PdfDetails;
      attachments: PdfAttachment[];
    }
  | { failure: 'encrypted' | 'corrupt' | 'heavy' };

export interface SparsePage {
  page: number;
  /** Normalised text of the page's upper and lower half, for example a header and a footer. */
  above: string;
  below: string;
}

/** The only message from a thread that takes out an attachment. `content` is null if the PDF has none of this name. */
export type AttachmentAnswer =
  { content: Uint8Array | null } | { failure: 'encrypted' | 'corrupt' | 'heavy' };

/** Reply to a page number: the rendered page, or null as {@link RenderPage.renderPage} explains. */
export type PictureAnswer = { picture: RenderPage.PagePicture | null } | { failure: 'corrupt' };

/** A file with fewer letters and digits has no useful text, only page numbers or stray marks on scans. */
const ENOUGH_CHARACTERS = 20;
/** Maximum characters of a file's text: about ten long novels. */
const MAX_CHARACTERS = 10_000_000;
/** Maximum pixels of an image in a page. An A4 page at 600 dpi has 35 million. */
const MAX_PIXELS = 40_000_000;
/** Columns are not detected in longer documents, because they matter for resumes only. */
const MAX_PAGES_WITH_COLUMNS = 12;

// Lowers the thread's priority, so that the event loops of the process run first. On Linux, setPriority affects the thread
// only.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

let getDocument: (typeof PdfJs)['getDocument'];
let renderPage: (typeof RenderPage)['renderPage'];

const task = workerData as PdfTask;
/** Texts of the pages that may be scans, by page number. */
const sparseItems = new Map<number, PageItem[]>();

/**
 * Folder of pdf.js's fonts and character maps, for files without embedded fonts. Many Chinese and Japanese files have none.
 */
const tables = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

const options = () => ({
  data: task.bytes.slice(),
  cMapUrl: join(tables, 'cmaps/'),
  cMapPacked: true,
  standardFontDataUrl: join(tables, 'standard_fonts/'),
  wasmUrl: join(tables, 'wasm/'),
  isEvalSupported: false,
  enableXfa: true,
  verbosity: 0,
});

const read = (): Promise<PdfAnswer> =>
  withDocument(async (document) => {
    const texts: string[] = [];
    const columns: number[] = [];
    const files: EmbeddedFile[] = [];
    const halves: string[] = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items, files: onPage } = await readPage(page);
      page.cleanup();
      files.push(...onPage);
      const text = toPageText(items);
      characters += text.length;
      if (characters > MAX_CHARACTERS) return { failure: 'heavy' };
      texts.push(text);
      if (document.numPages <= MAX_PAGES_WITH_COLUMNS && isInColumns(items)) columns.push(number);
      if (!mayBeScan(items)) continue;
      const { above, below } = splitAtMiddle(items);
      halves.push(toPageText(above), toPageText(below));
      sparseItems.set(number, items.items);
    }
    const pages = normalisePages(texts);
    const normalisedHalves = normalisePages(halves);
    return {
      pages,
      hasText: hasEnoughText(pages),
      sparse: Array.from(sparseItems.keys(), (page, index) => ({
        page,
        above: normalisedHalves[2 * index]!,
        below: normalisedHalves[2 * index + 1]!,
      })),
      columns,
      ...(await readAboutFile(document, files)),
    };
  });

async function readAboutFile(document: PdfJs.PDFDocumentProxy, onPages: readonly EmbeddedFile[]) {
  const files = await findAttachments(document, onPages);
  return {
    labels: await readLabels(document),
    details: await readDetails(document),
    attachments: Array.from(files, toAttachment),
  };
}

const takeOut = (name: string): Promise<AttachmentAnswer> =>
  withDocument(async (document) => {
    const files = await findAttachments(document, await readPageFiles(document));
    // A copy in a buffer of its own.
    return { content: files.get(name)?.slice() ?? null };
  });

async function withDocument<Answer>(
  use: (document: PdfJs.PDFDocumentProxy) => Promise<Answer>,
): Promise<Answer | { failure: 'encrypted' | 'corrupt' }> {
  const loading = getDocument(options());
  try {
    return await use(await loading.promise);
  } catch (error) {
    // Any other error of pdf.js, internal errors included, means that the file is damaged.
    return { failure: (error as Error).name === 'PasswordException' ? 'encrypted' : 'corrupt' };
  } finally {
    await loading.destroy();
  }
}

function hasEnoughText(pages: readonly string[]): boolean {
  let count = 0;
  return pages.some((page) => (count += countCharacters(page)) >= ENOUGH_CHARACTERS);
}

/** Renders each page whose number the parent thread sends, and posts the picture. Renders one page at a time. */
function renderOnRequest(): void {
  let opening: ReturnType<typeof getDocument>['promise'] | undefined;
  const draw = async (number: number): Promise<PictureAnswer> => {
    try {
      const document = await (opening ??= getDocument({ ...options(), maxImageSize: MAX_PIXELS }).promise);
      return { picture: await renderPage(document, number, sparseItems.get(number) ?? []) };
    } catch {
      return { failure: 'corrupt' };
    }
  };
  parentPort?.on('message', (number: number) => {
    void draw(number).then((drawn) => {
      const bytes = 'picture' in drawn ? drawn.picture?.data.buffer : undefined;
      parentPort?.postMessage(drawn, bytes ? [bytes as ArrayBuffer] : []);
    });
  });
}

/**
 * Nothing is awaited at the top level: V8 ends the process if a thread is terminated while the evaluation of such a module
 * completes (`AsyncModuleExecutionFulfilled`).
 */
async function run(): Promise<void> {
  // Imported after the change of priority, because they take long to load.
  ({ getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs'));
  ({ renderPage } = await import('./render-page.js'));
  if (task.attachment !== undefined) {
    parentPort?.postMessage(await takeOut(task.attachment));
    return;
  }
  const answer = await read();
  parentPort?.postMessage(answer);
  if ('pages' in answer && answer.sparse.length > 0) renderOnRequest();
}

void run();
