import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { PasswordException, PDFParse } from 'pdf-parse';
import type * as NormalisePages from './normalise-pages.js';

// A worker thread that reads one PDF. Node runs it from its source, as the tests do, as well as compiled.

/** What the thread says, once. */
export type PdfAnswer = { pages: string[] } | { failure: 'encrypted' | 'corrupt' | 'heavy' | 'noText' };

/** Fewer letters and digits than this in a whole file are stray marks on a scan, or a page number. */
const ENOUGH_CHARACTERS = 20;
/** Characters of text that a file may have: some ten times a long novel. */
const MOST_CHARACTERS = 10_000_000;

const { normalisePages } = (await import(
  `./normalise-pages${extname(import.meta.url)}`
)) as typeof NormalisePages;

// On Linux this is the priority of the thread alone: event loops go before computation.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

/** pdf.js keeps tables for fonts that a file does not bring along, as many Chinese and Japanese files do not. */
const tables = dirname(
  createRequire(fileURLToPath(import.meta.resolve('pdf-parse'))).resolve('pdfjs-dist/package.json'),
);

async function read(data: Uint8Array): Promise<PdfAnswer> {
  const parser = new PDFParse({
    data,
    cMapUrl: join(tables, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(tables, 'standard_fonts/'),
    isEvalSupported: false,
    verbosity: 0,
  });
  try {
    // `text` of the whole has page marks in it even where no page has text; `pages` has not.
    const { pages } = await parser.getText();
    if (pages.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARACTERS) return { failure: 'heavy' };
    const normalised = normalisePages(pages.map(({ text }) => text));
    return hasEnoughText(normalised) ? { pages: normalised } : { failure: 'noText' };
  } catch (error) {
    // Beside InvalidPDFException there are UnknownErrorException and errors of pdf.js's own: all mean damage.
    return { failure: error instanceof PasswordException ? 'encrypted' : 'corrupt' };
  }
}

function hasEnoughText(pages: string[]): boolean {
  let count = 0;
  for (const page of pages) {
    const character = /[\p{L}\p{N}]/gu;
    while (character.test(page)) if ((count += 1) >= ENOUGH_CHARACTERS) return true;
  }
  return false;
}

parentPort?.postMessage(await read(workerData as Uint8Array));
