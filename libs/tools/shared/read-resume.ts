import { AppError } from '#libs/contract/errors.js';
import { WORD_TYPE } from '#libs/contract/limits.js';
import type { WordPlaces } from '#libs/contract/pdf-details.js';
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

/** A notice about text of a Word document that many programs do not read; null if there is none. */
function placesNotice({ hasTextBoxes, hasLayoutTables }: WordPlaces): string | null {
  const places = [hasTextBoxes && 'text boxes', hasLayoutTables && 'tables that set it side by side'].filter(
    (place) => place !== false,
  );
  if (places.length === 0) return null;
  return `This resume has text in ${places.join(' and in ')}. Many applicant tracking systems leave such text out or mix it up: put it into plain paragraphs.`;
}

/**
 * Reads the file of the field `resume`.
 * @throws AppError UNREADABLE_PDF or UNREADABLE_DOCUMENT if the file is unreadable or has too little text
 */
export async function readResume(
  context: Pick<RunContext, 'file' | 'documents' | 'userId' | 'signal' | 'models' | 'stage'>,
  language: ScanLanguage | undefined,
): Promise<ReadResume> {
  const file = await context.file('resume');
  if (!file) throw new AppError('VALIDATION_FAILED', 'Upload your resume as a PDF or Word (.docx) file.');
  const { pages, scan, columns, details } = await readDocument(context, file, language);
  const notices = [
    scan && scan.read.length > 0 && IS_SCAN,
    scanNotice(scan),
    columns && columns.length > 0 && inColumns(columns),
    details?.places && placesNotice(details.places),
  ].filter(Boolean);
  const plain = pages.map(flattenTables);
  const format = file.type === WORD_TYPE ? 'docx' : 'pdf';
  return { resume: toResume(file.name, plain, columns ?? [], format), notice: notices.join(' ') || null };
}
