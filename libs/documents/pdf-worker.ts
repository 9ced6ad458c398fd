import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type * as Columns from './columns.js';
import type * as NormalisePages from './normalise-pages.js';
import type * as RenderPage from './render-page.js';

// A worker thread that reads one PDF. It runs both compiled and, in tests, from its source.

/** The thread's first message. */
export type PdfAnswer =
  | {
      pages: string[];
      /** Whether the text is more than stray marks on a scan, or page numbers. */
      hasText: boolean;
      /** The pages with little or no text: they may be scans. */
      sparse: number[];
      columns: number[];
    }
  | { failure: 'encrypted' | 'corrupt' | 'heavy' };

/** The answer to a page number: the result of {@link RenderPage.renderPage}. */
export type PictureAnswer = { picture: RenderPage.PagePicture | null } | { failure: 'corrupt' };

/** Fewer letters and digits than this in a whole file are stray marks on a scan, or a page number. */
const ENOUGH_CHARACTERS = 20;
/** A page with fewer characters may be a scan with a stamp, or with a line that a scanning program added. */
const SPARSE_CHARACTERS = 200;
/** The maximum characters of a file's text: about ten long novels. */
const MAX_CHARACTERS = 10_000_000;
/** The maximum pixels of a picture in a page: an A4 page of 600 dpi has 35 million. */
const MAX_PIXELS = 40_000_000;
/** Columns are not detected in longer documents, which are not resumes. */
const MAX_PAGES_WITH_COLUMNS = 12;

// On Linux this sets the priority of the thread only, so that event loops run before computation and loading pdf.js.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

const { PasswordException, PDFParse } = await import('pdf-parse');
const ending = extname(import.meta.url);
const { normalisePages } = (await import(`./normalise-pages${ending}`)) as typeof NormalisePages;
const { isInColumns } = (await import(`./columns${ending}`)) as typeof Columns;

/** pdf.js's tables for fonts that a file does not embed, which is common in Chinese and Japanese files. */
const tables = dirname(
  createRequire(fileURLToPath(import.meta.resolve('pdf-parse'))).resolve('pdfjs-dist/package.json'),
);

const options = () => ({
  data: (workerData as Uint8Array).slice(),
  cMapUrl: join(tables, 'cmaps/'),
  cMapPacked: true,
  standardFontDataUrl: join(tables, 'standard_fonts/'),
  wasmUrl: join(tables, 'wasm/'),
  isEvalSupported: false,
  verbosity: 0,
});

async function read(): Promise<PdfAnswer> {
  const parser = new PDFParse(options());
  try {
    // The parser's `text` has page marks even for pages without text; `pages` has none.
    const { pages } = await parser.getText();
    if (pages.reduce((sum, { text }) => sum + text.length, 0) > MAX_CHARACTERS) return { failure: 'heavy' };
    const normalised = normalisePages(pages.map(({ text }) => text));
    const counts = normalised.map(countCharacters);
    return {
      pages: normalised,
      hasText: counts.reduce((sum, count) => sum + count, 0) >= ENOUGH_CHARACTERS,
      sparse: counts.flatMap((count, index) => (count < SPARSE_CHARACTERS ? [index + 1] : [])),
      columns: await pagesInColumns(parser, pages.length),
    };
  } catch (error) {
    // InvalidPDFException, UnknownErrorException and internal errors of pdf.js all mean that the file is damaged.
    return { failure: error instanceof PasswordException ? 'encrypted' : 'corrupt' };
  } finally {
    await parser.destroy();
  }
}

/** Reads the positions of the text, which the parser's result lacks, from its document. */
async function pagesInColumns(parser: InstanceType<typeof PDFParse>, pageCount: number): Promise<number[]> {
  if (pageCount > MAX_PAGES_WITH_COLUMNS) return [];
  const document = await (parser as unknown as { load(): Promise<PDFDocumentProxy> }).load();
  const found: number[] = [];
  for (let number = 1; number <= pageCount; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => {
      if (!('str' in item)) return [];
      const [, rise, , , x, y] = item.transform as number[];
      return rise === 0 && x !== undefined && y !== undefined
        ? [{ text: item.str, x, y, width: item.width, height: item.height }]
        : [];
    });
    if (isInColumns(texts)) found.push(number);
  }
  return found;
}

/** Counts letters and digits, up to {@link SPARSE_CHARACTERS}. */
function countCharacters(page: string): number {
  let count = 0;
  const character = /[\p{L}\p{N}]/gu;
  while (count < SPARSE_CHARACTERS && character.test(page)) count += 1;
  return count;
}

/** Answers page numbers with the pages' pictures, one after the other. */
function renderOnRequest(pages: string[]): void {
  let opening: ReturnType<typeof openToRender> | undefined;
  const draw = async (number: number): Promise<PictureAnswer> => {
    try {
      const { document, renderPage } = await (opening ??= openToRender());
      const hasText = /[\p{L}\p{N}]/u.test(pages[number - 1] ?? '');
      return { picture: await renderPage(document, number, hasText) };
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

async function openToRender() {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const { renderPage } = (await import(`./render-page${ending}`)) as typeof RenderPage;
  return { document: await getDocument({ ...options(), maxImageSize: MAX_PIXELS }).promise, renderPage };
}

const answer = await read();
parentPort?.postMessage(answer);
if ('pages' in answer && answer.sparse.length > 0) renderOnRequest(answer.pages);
