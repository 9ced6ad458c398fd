import { z } from 'zod';

/** Languages that OCR can read, by ISO 639-1 code. */
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

/** Which pages of a PDF are scans, without a text layer, and which of them OCR has read. Lists contain page numbers. */
export interface Scan {
  /** The language that OCR assumed; null if OCR was not available. */
  language: ScanLanguage | null;
  read: number[];
  /** The pages in `read` whose text OCR is not sure of. */
  hard: number[];
  unread: number[];
}
