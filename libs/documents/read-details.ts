import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfDetails, PdfHeading } from '#libs/contract/pdf-details.js';
import { normalisePages } from './layout/normalise-pages.js';
import { readPdfDate } from './pdf-date.js';

const MAX_LABEL_CHARACTERS = 30;
const MAX_HEADINGS = 500;
const MAX_LEVEL = 6;
const MAX_TEXT_CHARACTERS = 300;
/** What programs write where nothing is known. */
const PLACEHOLDER = /^\(?(?:untitled|anonymous|unspecified|unknown)\)?$/i;

/** @returns the number printed on each page, `''` for none; null if they are 1, 2, 3 and so on, or of no use */
export async function readLabels(document: PDFDocumentProxy): Promise<string[] | null> {
  const found = await getShortLabels(document);
  const labels = found?.map((label) => toLine(label));
  if (labels?.length !== document.numPages) return null;
  if (labels.some((label) => label.length > MAX_LABEL_CHARACTERS)) return null;
  const isOrdinary = labels.every((label, index) => label === String(index + 1));
  const areEqual = labels.length > 1 && new Set(labels).size === 1;
  return isOrdinary || areEqual || labels.every((label) => label === '') ? null : labels;
}

/**
 * Labels, or null if they are longer than those of any book. The two halves of pdf.js copy messages to each other by
 * `structuredClone`, and copying labels of gigabytes (a number of a billion in letters, on each page) would end the whole
 * process, not only this thread. Their lengths are known before.
 */
async function getShortLabels(document: PDFDocumentProxy): Promise<string[] | null> {
  const clone = globalThis.structuredClone;
  globalThis.structuredClone = ((message: unknown, options?: Parameters<typeof clone>[1]) =>
    clone(withoutLongLabels(message), options)) as typeof clone;
  try {
    return await document.getPageLabels();
  } finally {
    globalThis.structuredClone = clone;
  }
}

function withoutLongLabels(message: unknown): unknown {
  const { data } = message as { data?: unknown };
  if (!Array.isArray(data)) return message;
  const lengths = data.map((label: unknown) => (typeof label === 'string' ? label.length : 0));
  const isLong = lengths.reduce((sum, length) => sum + length, 0) > data.length * MAX_LABEL_CHARACTERS;
  return isLong ? { ...(message as object), data: null } : message;
}

/** Reads title, author, dates, language and table of contents, as far as the file has them. */
export async function readDetails(document: PDFDocumentProxy): Promise<PdfDetails> {
  const { info, metadata } = await document.getMetadata();
  const fields = info as Record<string, unknown>;
  const first = (...values: unknown[]) =>
    values.map(toText).find((text) => text !== '' && !PLACEHOLDER.test(text));
  const details = {
    // Printer drivers put the program's name before the file's.
    title: first(fields.Title, metadata?.get('dc:title'))?.replace(/^Microsoft Word - (?=\S)/, ''),
    author: first(fields.Author, metadata?.get('dc:creator')),
    created: readPdfDate(fields.CreationDate),
    modified: readPdfDate(fields.ModDate),
    language: readLanguage(first(fields.Language, metadata?.get('dc:language'))),
  };
  const known = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return { ...known, headings: await readHeadings(document) };
}

function readLanguage(tag = ''): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;

async function readHeadings(document: PDFDocumentProxy): Promise<PdfHeading[]> {
  const outline: Outline | null = await document.getOutline();
  const headings: PdfHeading[] = [];
  const left = toEntries(outline ?? [], 1);
  for (let entry = left.pop(); entry && headings.length < MAX_HEADINGS; entry = left.pop()) {
    const { item, level } = entry;
    const title = toLine(item.title);
    if (title) headings.push({ title, page: await pageOf(document, item.dest), level });
    if (level < MAX_LEVEL) left.push(...toEntries(item.items as Outline, level + 1));
  }
  return headings;
}

/** The first {@link MAX_HEADINGS} entries in reverse order, for a stack. */
const toEntries = (items: Outline, level: number) =>
  items
    .slice(0, MAX_HEADINGS)
    .map((item) => ({ item, level }))
    .reverse();

async function pageOf(document: PDFDocumentProxy, target: string | unknown[] | null): Promise<number | null> {
  try {
    const place = typeof target === 'string' ? await document.getDestination(target) : target;
    const page: unknown = place?.[0];
    const index =
      typeof page === 'number'
        ? page
        : await document.getPageIndex(page as Parameters<PDFDocumentProxy['getPageIndex']>[0]);
    return index >= 0 && index < document.numPages ? index + 1 : null;
  } catch {
    // The entry leads to a page that does not exist, or to another file.
    return null;
  }
}

const toText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(toText).filter(Boolean).join(', ')
    : typeof value === 'string'
      ? toLine(value)
      : '';

/** Normalises a text, as that of a page, to one line. */
const toLine = (text: string) =>
  (normalisePages([text.slice(0, 10 * MAX_TEXT_CHARACTERS)])[0] ?? '')
    .replaceAll('\n', ' ')
    .slice(0, MAX_TEXT_CHARACTERS)
    .toWellFormed();
