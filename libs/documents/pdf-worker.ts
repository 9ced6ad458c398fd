import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type * as Columns from './columns.js';
import type * as NormalisePages from './normalise-pages.js';
import type * as RenderPage from './render-page.js';

// Entry point of a worker thread that reads one PDF. Imports by the extension of this file, because it runs compiled, and in
// tests as TypeScript.

/** First message from the thread: the text of all pages. */
export type PdfAnswer =
  | {
      pages: string[];
      /** True if the file has enough text to be useful. */
      hasText: boolean;
      /** Numbers of the pages with little or no text, which may be scans. */
      sparse: number[];
      /** Numbers of the pages whose text is in columns. */
      columns: number[];
    }
  | { failure: 'encrypted' | 'corrupt' | 'heavy' };

/** Reply to a page number: the rendered page, or null as {@link RenderPage.renderPage} explains. */
export type PictureAnswer = { picture: RenderPage.PagePicture | null } | { failure: 'corrupt' };

/** A file with fewer letters and digits has no useful text, only page numbers or stray marks on scans. */
const ENOUGH_CHARACTERS = 20;
/** A page with fewer letters and digits may be a scan whose only text is a stamp or a line that the scanner added. */
const SPARSE_CHARACTERS = 200;
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

const { PasswordException, PDFParse } = await import('pdf-parse');
const ending = extname(import.meta.url);
const { normalisePages } = (await import(`./normalise-pages${ending}`)) as typeof NormalisePages;
const { isInColumns } = (await import(`./columns${ending}`)) as typeof Columns;

/**
 * Folder of pdf.js's fonts and character maps, for files without embedded fonts. Many Chinese and Japanese files have none.
 */
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
    // Uses `pages`, because `text` contains page separators, even for pages without text.
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
    // Any other error of pdf.js, internal errors included, means that the file is damaged.
    return { failure: error instanceof PasswordException ? 'encrypted' : 'corrupt' };
  } finally {
    await parser.destroy();
  }
}

/** Reads the positions of the text from the parser's document, because the parser's result has no positions. */
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

/** Counts letters and digits. Stops at {@link SPARSE_CHARACTERS}. */
function countCharacters(page: string): number {
  let count = 0;
  const character = /[\p{L}\p{N}]/gu;
  while (count < SPARSE_CHARACTERS && character.test(page)) count += 1;
  return count;
}

/** Renders each page whose number the parent thread sends, and posts the picture. Renders one page at a time. */
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
