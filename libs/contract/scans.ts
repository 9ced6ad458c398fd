import { z } from 'zod';

/** The languages in which scanned pages can be read, by ISO 639-1 code. */
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
    description: 'The language of scanned pages; English by default. Pages with text ignore it.',
  });

export const fileNoticeSchema = z.string().nullable().meta({
  description: 'What the user should know about the file, such as pages that were hard to read.',
});

export const scanModelId = (language: ScanLanguage): `ocr-${ScanLanguage}` => `ocr-${language}`;

/** The numbers of a document's pages that have no text layer. */
export interface Scan {
  /** The language in which they were read; null if the server could not read scans. */
  language: ScanLanguage | null;
  read: number[];
  /** Pages in `read` that were hard to read. */
  hard: number[];
  unread: number[];
}
