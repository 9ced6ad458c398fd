import { z } from 'zod';

/** The languages in which scanned pages are read, by their code of ISO 639-1. */
export const scanLanguages = {
  en: 'English',
  nl: 'Dutch',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  pl: 'Polish',
  pt: 'Portuguese',
  es: 'Spanish',
} as const;
export type ScanLanguage = keyof typeof scanLanguages;

export const scanLanguageSchema = z
  .enum(Object.keys(scanLanguages) as [ScanLanguage, ...ScanLanguage[]], {
    error: `language must be one of ${Object.keys(scanLanguages).join(', ')}.`,
  })
  .meta({
    description: 'The language of pages that are scans; English without it. Pages with text do not need it.',
  });

/** A field of results about a file. */
export const fileNoticeSchema = z.string().nullable().meta({
  description: 'What the user should know about the file, such as pages that were hard to read.',
});

/** The model that reads scans in a language. */
export const modelIdOf = (language: ScanLanguage): `ocr-${ScanLanguage}` => `ocr-${language}`;

/** The pages of a document that have no text of their own, by their numbers. */
export interface Scan {
  /** The language in which they were read; null where scans could not be read. */
  language: ScanLanguage | null;
  /** Those whose text was read from their picture. */
  read: number[];
  /** Of these, those that were hard to read. */
  hard: number[];
  /** Those of which no text is known. */
  unread: number[];
}
