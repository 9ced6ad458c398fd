import { AppError, LimitExceeded } from '#libs/contract/errors.js';

const refusals = {
  encrypted: 'This file is protected by a password. Save a copy without the password and upload that.',
  oldWord: 'This is an old Word document (.doc). Open it in Word and save it as a Word document (.docx).',
  macros:
    'This Word file contains macros, which are not accepted. Save it as a Word document without macros (.docx) and upload that.',
  external:
    'This Word file loads parts of itself from elsewhere, such as a linked picture, file or template. They are not fetched. Break these links in Word (File, Info, Edit Links to Files), or save the file as a PDF, and upload it again.',
  rtf: 'This is an RTF file. Open it in a word processor and save it as a Word document (.docx) or PDF.',
  odt: 'This is an OpenDocument file. Save it as a Word document (.docx) or PDF in your word processor.',
  spreadsheet: 'This is an Excel workbook. Export it as a PDF.',
  presentation: 'This is a PowerPoint presentation. Export it as a PDF.',
  zip: 'This is a ZIP file that is no Word document (.docx). Unpack it and upload the document inside.',
  image: 'This is a picture. Save it as a PDF; the text of a scanned page is then recognised.',
  unknown: 'This is no PDF, Word document (.docx), web page or text. Save it as a PDF or a Word document.',
  corrupt:
    'This file is damaged and cannot be read. Save it again in your word processor and upload the new file.',
  heavy: 'This file is too large or too complex to be read. Upload a simpler or shorter copy.',
  empty:
    'This file contains no text. If its text is in pictures, save it as a PDF, so that it can be recognised.',
} as const;

type Refusal = keyof typeof refusals;

export const unreadableDocument = (why: Refusal, cause?: unknown): AppError =>
  why === 'heavy'
    ? new LimitExceeded('UNREADABLE_DOCUMENT', refusals.heavy, { cause })
    : new AppError('UNREADABLE_DOCUMENT', refusals[why], { cause });

/** For a file of a type that cannot be read. */
export const unsupportedDocument = (why: Refusal): AppError =>
  new AppError('UNSUPPORTED_FILE', refusals[why]);
