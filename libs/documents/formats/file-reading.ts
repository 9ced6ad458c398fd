import type { PagedText } from './blocks.js';
import type { PdfDetails, WordPlaces } from '#libs/contract/pdf-details.js';

/** What a file says about itself. */
export type FileDetails = Partial<Omit<PdfDetails, 'headings' | 'places'>>;

export type TextFormat = 'docx' | 'html' | 'markdown' | 'text';

/** The text of a document that is no PDF, in the form of a read PDF. */
export interface FileReading extends PagedText {
  format: TextFormat;
  details: FileDetails;
  /** For Word documents. */
  places?: WordPlaces;
}
