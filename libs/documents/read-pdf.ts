import { AppError } from '#libs/contract/errors.js';
import { scanModelId, scanLanguages, type Scan, type ScanLanguage } from '#libs/contract/scans.js';
import { ModelUnavailable } from '#libs/models/errors.js';
import type { FetchProgress, LocalModels } from '#libs/models/local-models.js';
import type { ScannedPage, ScannedWord } from '#libs/models/runner/messages.js';
import { normalisePages } from './layout/normalise-pages.js';
import { openPdf, unreadable, type OpenPdf } from './read-pdf-pages.js';

export interface ScanReader {
  language: ScanLanguage;
  models: Pick<LocalModels, 'isAvailable' | 'run'>;
}

export type ReadingProgress =
  /** The OCR model is being downloaded. */
  | { fetched: FetchProgress }
  | {
      page: number;
      pages: number;
      /** Fraction of the pages done, from 0 to 1. */
      share: number;
    };

export interface PdfReading extends Pick<OpenPdf, 'labels' | 'details' | 'attachments'> {
  /** Normalised text of each page. */
  pages: string[];
  /** Result of OCR; null if no page needed it. */
  scan: Scan | null;
  /** Numbers of the pages whose text is in columns. */
  columns: number[];
  /** Words of the scanned pages, by page number. */
  words: Map<number, ScannedWord[]>;
}

const MAX_SCANNED_PAGES = 100;
const MAX_RENDERED_PAGES = 150;
/** Without OCR, so many pages are drawn to see whether a file without text is a scan. */
const MAX_PAGES_TRIED = 3;
/** The document is rejected after this many pages whose OCR took too long. */
const MAX_SLOW_PAGES = 3;
/** OCR confidence, from 0 to 100, below which a page is assumed to contain no text. */
const MIN_CONFIDENCE = 40;
/** OCR confidence below which a page is reported as hard to read. */
const SURE_CONFIDENCE = 75;

/**
 * Reads the text of a PDF, with OCR for scanned pages.
 * @param reader the OCR models; null to skip scanned pages
 * @throws AppError UNREADABLE_PDF; EngineError if the model's process crashed; the signal's reason
 */
export async function readPdf(
  bytes: Uint8Array,
  signal: AbortSignal,
  reader: ScanReader | null,
  onProgress: (progress: ReadingProgress) => void = () => undefined,
): Promise<PdfReading> {
  const pdf = await openPdf(bytes, { signal });
  try {
    const { columns, labels, details, attachments } = pdf;
    const text = await readText(pdf, signal, reader, onProgress);
    return { ...text, columns, labels, details, attachments };
  } finally {
    await pdf.close();
  }
}

type Text = Pick<PdfReading, 'pages' | 'scan' | 'words'>;

async function readText(
  pdf: OpenPdf,
  signal: AbortSignal,
  reader: ScanReader | null,
  onProgress: (progress: ReadingProgress) => void,
): Promise<Text> {
  if (pdf.sparse.length === 0) return { pages: pdf.pages, scan: null, words: new Map() };
  if (!reader) return withoutScans(pdf);
  return readScans(pdf, reader, signal, onProgress).catch((error: unknown) => {
    if (error instanceof ModelUnavailable) return withoutScans(pdf, reader.language);
    throw error;
  });
}

async function withoutScans(pdf: OpenPdf, language: ScanLanguage = 'en'): Promise<Text> {
  if (!pdf.hasText) {
    if (await showsPictures(pdf))
      throw language === 'en' ? unreadable('noText') : languageUnavailable(language);
    if (!pdf.pages.some(hasLetters)) throw unreadable('empty');
  }
  const unread = pdf.sparse.map(({ page }) => page).filter((page) => !hasLetters(pdf.pages[page - 1]));
  const scan = { language: null, read: [], hard: [], unread };
  return { pages: pdf.pages, scan: unread.length > 0 ? scan : null, words: new Map() };
}

/** True if one of the first pages is a picture. Tells a scan from a file with little text. */
async function showsPictures(pdf: OpenPdf): Promise<boolean> {
  for (const { page } of pdf.sparse.slice(0, MAX_PAGES_TRIED)) if (await pdf.render(page)) return true;
  return false;
}

async function readScans(
  pdf: OpenPdf,
  { language, models }: ScanReader,
  signal: AbortSignal,
  onProgress: (progress: ReadingProgress) => void,
): Promise<Text> {
  const model = scanModelId(language);
  const found = new Map<number, ScannedPage>();
  const unread: number[] = [];
  let slow = 0;
  let isReady = false;
  let hasPictures = false;
  for (const [index, { page }] of pdf.sparse.entries()) {
    const isTooMany = found.size >= MAX_SCANNED_PAGES || index >= MAX_RENDERED_PAGES;
    if (isTooMany) {
      // Behind so many scans with a line of text each, such a page is one too.
      if (found.size >= MAX_SCANNED_PAGES || !hasLetters(pdf.pages[page - 1])) unread.push(page);
      continue;
    }
    const picture = await pdf.render(page);
    if (!picture) continue;
    hasPictures = true;
    isReady ||= await models.isAvailable(model, signal, (fetched) => onProgress({ fetched }));
    if (!isReady) return withoutScans(pdf, language);
    onProgress({ page, pages: pdf.pages.length, share: index / pdf.sparse.length });
    const read = await models.run(model, picture, signal);
    if (!read) {
      slow += 1;
      if (slow >= MAX_SLOW_PAGES) throw unreadable('heavy');
    }
    if (read && read.confidence >= MIN_CONFIDENCE && hasLetters(read.text)) found.set(page, read);
    else if (!hasLetters(pdf.pages[page - 1])) unread.push(page);
  }
  const numbers = [...found.keys()];
  const texts = normalisePages([...found.values()].map(({ text }) => text));
  const pages = [...pdf.pages];
  for (const [index, number] of numbers.entries()) {
    const around = pdf.sparse.find(({ page }) => page === number);
    // The picture does not show the page's own text, so that nothing is read twice.
    pages[number - 1] = [around?.above, texts[index], around?.below].filter(Boolean).join('\n\n');
  }
  if (hasPictures && !hasEnough(pages)) throw unreadable('nothingRead');
  if (!pages.some(hasLetters)) throw unreadable('empty');
  return {
    pages,
    scan: {
      language,
      read: numbers,
      hard: numbers.filter((page) => (found.get(page)?.confidence ?? 0) < SURE_CONFIDENCE),
      unread,
    },
    words: new Map([...found].map(([page, { words }]) => [page, words])),
  };
}

const languageUnavailable = (language: ScanLanguage) =>
  new AppError(
    'UNREADABLE_PDF',
    `This PDF is a scan, and scans in ${scanLanguages[language]} cannot be read at the moment. Try again later, or upload a PDF with selectable text.`,
  );

const hasLetters = (text = '') => /[\p{L}\p{N}]/u.test(text);
const hasEnough = (pages: string[]) => (pages.join(' ').match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 20;
