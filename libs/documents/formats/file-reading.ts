import type { PagedText } from './blocks.js';
import type { WordReading } from './read-word.js';

/** What a file says about itself. */
export interface FileDetails {
  title?: string | undefined;
  author?: string | undefined;
  /** ISO 8601. */
  created?: string | undefined;
  modified?: string | undefined;
  /** BCP 47. */
  language?: string | undefined;
}

export type TextFormat = 'docx' | 'html' | 'markdown' | 'text';

/** The text of a document that is no PDF, in the form of a read PDF. */
export interface FileReading extends PagedText {
  format: TextFormat;
  details: FileDetails;
  /** For Word documents. */
  places?: WordReading['places'];
}
