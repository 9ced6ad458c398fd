import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { PasswordException, PDFParse } from 'pdf-parse';

// The whole of a worker thread that reads one PDF. It imports packages alone, so that Node can run it from its
// source, as the tests do, as well as compiled.

/** What the thread says, once. The texts are as the file has them. */
export type PdfAnswer = { pages: string[] } | { failure: 'encrypted' | 'corrupt' };

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
    return { pages: pages.map(({ text }) => text) };
  } catch (error) {
    // Beside InvalidPDFException there are UnknownErrorException and errors of pdf.js's own: all mean damage.
    return { failure: error instanceof PasswordException ? 'encrypted' : 'corrupt' };
  }
}

parentPort?.postMessage(await read(workerData as Uint8Array));
