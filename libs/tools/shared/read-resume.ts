import { AppError } from '#libs/contract/errors.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { toResume, type Resume } from '#libs/local-engine/resume/resume.js';
import { flattenTables } from '#libs/local-engine/text/markdown-tables.js';
import { pagesOf, readDocument, scanNotice } from './read-document.js';

/** A resume, and a notice for the user about pages that were hard to read; null if there are none. */
export interface ReadResume {
  resume: Resume;
  notice: string | null;
}

const IS_SCAN =
  'This resume is a scan; its text was read from the picture. Many applicant tracking systems cannot read such a file: send one whose text can be selected.';

const inColumns = (pages: readonly number[]) =>
  `${pagesOf(pages)} ${pages.length === 1 ? 'is' : 'are'} set in columns. Many applicant tracking systems read across them and mix up what stands beside each other: send them a version in one column.`;

/** Reads the PDF of the field `resume`. @throws AppError UNREADABLE_PDF if the PDF is unreadable or has too little text */
export async function readResume(
  context: Pick<RunContext, 'file' | 'documents' | 'userId' | 'signal' | 'models' | 'stage'>,
  language: ScanLanguage | undefined,
): Promise<ReadResume> {
  const file = await context.file('resume');
  if (!file) throw new AppError('VALIDATION_FAILED', 'Upload your resume as a PDF file.');
  const { pages, scan, columns } = await readDocument(context, file, language);
  const notices = [
    scan && scan.read.length > 0 && IS_SCAN,
    scanNotice(scan),
    columns && columns.length > 0 && inColumns(columns),
  ].filter(Boolean);
  const plain = pages.map(flattenTables);
  return { resume: toResume(file.name, plain, columns ?? []), notice: notices.join(' ') || null };
}
