import { scanModelId, type Scan, type ScanLanguage } from '#libs/contract/scans.js';
import type { InputFile } from '#libs/contract/files.js';
import type { PdfDocument } from '#libs/documents/pdf-document.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { reportFetch } from './local-model.js';

/** A job's progress while text recognition reads scanned pages, which takes most of the job's time. */
const SCANS_FROM_PERCENT = 4;
const SCANS_TO_PERCENT = 80;

/** Reads a PDF and reports the progress. @throws AppError UNREADABLE_PDF */
export function readDocument(
  context: Pick<RunContext, 'documents' | 'userId' | 'signal' | 'models' | 'stage'>,
  file: InputFile,
  language: ScanLanguage | undefined,
): Promise<PdfDocument> {
  const { documents, userId, signal, models } = context;
  return documents.read(userId, file, {
    signal,
    scans: { models, language },
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
}

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
