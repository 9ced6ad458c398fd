import { z } from 'zod';

export const ATTACHMENT_NAME_CHARACTERS = 255;

export const pdfAttachmentSchema = z
  .object({
    name: z.string().meta({ description: 'The file’s name, unique in its document.' }),
    size: z.number().int().meta({ description: 'Bytes.' }),
    isPdf: z.boolean().meta({ description: 'Whether it is a PDF, which can be fetched and asked about.' }),
  })
  .meta({ id: 'PdfAttachment' });
/** A file within a PDF. */
export type PdfAttachment = z.infer<typeof pdfAttachmentSchema>;

/** An entry of a PDF's table of contents (outline). */
export interface PdfHeading {
  title: string;
  /** Physical number, from 1. Null if the entry leads to no page. */
  page: number | null;
  /** 1 for a chapter, 2 for its sections, and so on. */
  level: number;
}

/** Places of a Word document whose text some programs do not read. */
export interface WordPlaces {
  hasTextBoxes: boolean;
  /** True if a table places texts side by side. */
  hasLayoutTables: boolean;
  hasHeader: boolean;
}

/** What a file says about itself. */
export interface PdfDetails {
  title?: string;
  author?: string;
  /** ISO 8601, with the offset that the file states; a date alone if the file states no time. */
  created?: string;
  modified?: string;
  /** BCP 47 tag, such as `en-GB`. */
  language?: string;
  headings: PdfHeading[];
  /** For Word documents. */
  places?: WordPlaces;
}
