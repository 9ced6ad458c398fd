import { scanModelId, type Scan, type ScanLanguage } from '#libs/contract/scans.js';
import type { InputFile } from '#libs/contract/files.js';
import type { ReadOptions } from '#libs/documents/documents.js';
import type { PdfDocument } from '#libs/documents/pdf-document.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { inlineCode } from '#libs/local-engine/text/markdown-text.js';
import { reportFetch } from './local-model.js';

/** A job's progress while text recognition reads scanned pages, which takes most of the job's time. */
const SCANS_FROM_PERCENT = 4;
const SCANS_TO_PERCENT = 80;

type Context = Pick<RunContext, 'documents' | 'userId' | 'signal' | 'models' | 'stage'>;

/** Reads a PDF and reports the progress. @throws AppError UNREADABLE_PDF */
export const readDocument = (
  context: Context,
  file: InputFile,
  language: ScanLanguage | undefined,
): Promise<PdfDocument> => context.documents.read(context.userId, file, readOptions(context, language));

/** Reads a stored document again if an older version of the reader read it. */
export const readDocumentAgain = (
  context: Context,
  document: PdfDocument,
  language: ScanLanguage | undefined,
): Promise<PdfDocument> =>
  context.documents.readAgain(context.userId, document, readOptions(context, language));

const readOptions = (context: Context, language: ScanLanguage | undefined): ReadOptions => ({
  signal: context.signal,
  scans: { models: context.models, language },
  onProgress: (progress) => {
    if ('fetched' in progress) {
      reportFetch(context, scanModelId(language ?? 'en'), progress.fetched);
      return;
    }
    const { page, pages, share } = progress;
    const percent = SCANS_FROM_PERCENT + (SCANS_TO_PERCENT - SCANS_FROM_PERCENT) * share;
    context.stage('scan', `Reading page ${page} of ${pages}`, percent, {
      done: page - 1,
      total: pages,
      unit: 'pages',
    });
  },
});

/** A notice about scanned pages that were hard to read or not read; null if there are none. */
export function scanNotice(scan: Scan | null): string | null {
  if (!scan) return null;
  const { hard, unread, language } = scan;
  const notices = [
    hard.length > 0 &&
      `${pagesOf(hard)} ${hard.length === 1 ? 'was' : 'were'} hard to read; check what is quoted from ${hard.length === 1 ? 'it' : 'them'}.`,
    unread.length > 0 &&
      (language === null
        ? `${pagesOf(unread)} ${unread.length === 1 ? 'has' : 'have'} no text of ${unread.length === 1 ? 'its' : 'their'} own and ${unread.length === 1 ? 'was' : 'were'} left out: scans cannot be read on this server at present.`
        : `On ${pagesOf(unread).toLowerCase()} no text could be read.`),
  ];
  return notices.filter((notice) => notice !== false).join(' ') || null;
}

const MAX_NAMED_ATTACHMENTS = 5;

/** A notice in Markdown about the files within a PDF, whose text is not read with it; null if there are none. */
export function attachmentsNotice(attachments: PdfDocument['attachments']): string | null {
  if (!attachments?.length) return null;
  const names = attachments.slice(0, MAX_NAMED_ATTACHMENTS).map(({ name }) => inlineCode(name));
  const others = attachments.length - names.length;
  const list = new Intl.ListFormat('en-GB').format([...names, ...(others > 0 ? [`${others} more`] : [])]);
  const isOne = attachments.length === 1;
  const notice = `This PDF contains ${isOne ? 'another file' : `${attachments.length} other files`}, which ${isOne ? 'was' : 'were'} not read: ${list}.`;
  if (!attachments.some(({ isPdf }) => isPdf)) return notice;
  return `${notice} ${isOne ? 'It' : 'Each PDF among them'} can be opened as a document of its own.`;
}

/** Formats page numbers: `Page 7`, `Pages 3 and 7`, `Pages 1, 4 to 9 and 12`. */
export function pagesOf(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.[1] === page - 1) range[1] = page;
    else ranges.push([page, page]);
  }
  const words = ranges.flatMap(([first, last]) =>
    last === first ? [`${first}`] : last === first + 1 ? [`${first}`, `${last}`] : [`${first} to ${last}`],
  );
  const list = new Intl.ListFormat('en-GB').format(words);
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${list}`;
}
