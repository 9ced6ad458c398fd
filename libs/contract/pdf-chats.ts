import { z } from 'zod';
import { cursorSchema } from './pages.js';

export const citationSchema = z
  .object({
    page: z.number().int().min(1),
    quote: z.string().meta({ description: 'The words as on that page, with line ends as spaces.' }),
  })
  .meta({ id: 'Citation' });
/** A quotation that was found on the page it names. */
export type Citation = z.infer<typeof citationSchema>;

export const pdfChatMessageSchema = z
  .object({
    role: z.enum(['user', 'assistant']),
    content: z.string().meta({ description: 'A question as it was asked, or an answer in Markdown.' }),
    citations: z.array(citationSchema).optional(),
    engine: z.enum(['openai', 'offline']).optional(),
    model: z
      .string()
      .optional()
      .meta({ description: 'The model that made an answer; without it, rules did, or it is not known.' }),
    createdAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'PdfChatMessage' });
/** One message of a conversation about a PDF. Messages from a client have only `role` and `content`. */
export type PdfChatMessage = z.infer<typeof pdfChatMessageSchema>;

export const pdfChatSummarySchema = z
  .object({
    id: z.uuid().meta({ description: 'The document’s id.' }),
    fileName: z.string().meta({ description: 'The name it is listed under, unique for the user.' }),
    lastMessage: z.string().meta({ description: 'How the latest message begins, at most 200 characters.' }),
    messages: z.number().int(),
    pages: z.number().int(),
    hasFile: z
      .boolean()
      .meta({ description: 'Whether the document itself is kept, so that its pages can be shown.' }),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'PdfChatSummary' });
export type PdfChatSummary = z.infer<typeof pdfChatSummarySchema>;

export const pdfChatQuerySchema = z.object({
  file_name: z
    .string({ error: 'Give one file_name.' })
    .trim()
    .min(1, 'Give the name of a document, or leave file_name out.')
    .max(300, 'There is no document of so long a name.')
    .refine((name) => !name.includes('\0'), 'There is no document of this name.')
    .optional()
    .meta({ description: 'A document, by the name it is listed under.' }),
});

/** As above, and where a page starts. */
export const pdfChatPageQuerySchema = pdfChatQuerySchema.extend({
  cursor: cursorSchema.meta({
    description: 'With `file_name` the `earlierCursor` of the answer before, without it the `nextCursor`.',
  }),
});

export const pdfWordSchema = z
  .object({
    text: z.string(),
    left: z
      .number()
      .meta({ description: 'Like the other sides: a share of the page as it is shown, 0 to 1.' }),
    top: z.number(),
    right: z.number(),
    bottom: z.number(),
  })
  .meta({ id: 'PdfWord' });
/** A word that was read from the picture of a page. */
export type PdfWord = z.infer<typeof pdfWordSchema>;

/** A page of a document. */
export const pdfPageQuerySchema = z.object({
  file_name: pdfChatQuerySchema.shape.file_name.unwrap(),
  page: z.coerce.number('page must be a number.').int('page must be a whole number.').min(1).max(100_000),
});

/** The document whose file is read. */
export const pdfFileQuerySchema = z.object({ file_name: pdfChatQuerySchema.shape.file_name.unwrap() });

export const earlierCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'With it and `file_name`, the messages before these are read.' });

export const pdfChatHistorySchema = z.object({
  message: z.string(),
  files: z.array(z.string()).meta({ description: 'The names of all documents, the latest first.' }),
  chatHistory: z.array(pdfChatMessageSchema),
  earlierCursor: earlierCursorSchema,
  fileName: z.string().nullable(),
  documents: z.array(pdfChatSummarySchema),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'Where the list of documents goes on; those pages have no `chatHistory`.' }),
});
export type PdfChatHistory = z.infer<typeof pdfChatHistorySchema>;
