import { z } from 'zod';
import { cursorSchema } from './pagination.js';
import { ATTACHMENT_NAME_CHARACTERS, pdfAttachmentSchema } from './pdf-details.js';

export const citationSchema = z
  .object({
    page: z.number().int().min(1).meta({ description: 'The page’s place in the file, from 1.' }),
    label: z.string().optional().meta({
      description: 'The number printed on the page, such as iii or A-1, if it is not the place in the file.',
    }),
    quote: z.string().meta({ description: 'The words of that page, with spaces for line ends.' }),
  })
  .meta({ id: 'Citation' });
/** A quotation in an answer. It was found on the page that it cites. */
export type Citation = z.infer<typeof citationSchema>;

export const pdfChatMessageSchema = z
  .object({
    role: z.enum(['user', 'assistant']),
    content: z.string().meta({ description: 'The question, or an answer in Markdown.' }),
    citations: z.array(citationSchema).optional(),
    engine: z.enum(['openai', 'offline']).optional(),
    model: z
      .string()
      .optional()
      .meta({ description: 'The model that made an answer; absent if rules made it or if it is unknown.' }),
    createdAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'PdfChatMessage' });
/** One message of a conversation about a PDF. Messages that clients send have only `role` and `content`. */
export type PdfChatMessage = z.infer<typeof pdfChatMessageSchema>;

export const pdfChatSummarySchema = z
  .object({
    id: z.uuid().meta({ description: 'The document’s id.' }),
    notebookId: z.uuid().meta({ description: 'The conversation’s id: a document may have several.' }),
    fileName: z.string().meta({ description: 'The name in the list, unique for the user.' }),
    lastMessage: z.string().meta({ description: 'The start of the latest message, at most 200 characters.' }),
    messages: z.number().int(),
    pages: z.number().int(),
    hasFile: z.boolean().meta({ description: 'Whether the file is stored, so that its pages can be shown.' }),
    attachments: z.array(pdfAttachmentSchema).meta({ description: 'Files within the PDF, at most 100.' }),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'PdfChatSummary' });
export type PdfChatSummary = z.infer<typeof pdfChatSummarySchema>;

export const pdfChatQuerySchema = z.object({
  file_name: z
    .string({ error: 'Give one file_name.' })
    .trim()
    .min(1, 'Give the name of a document, or leave file_name out.')
    .max(300, 'File names have at most 300 characters.')
    .refine((name) => !name.includes('\0'), 'There is no document of this name.')
    .optional()
    .meta({ description: 'The name of a document in the list.' }),
});

export const pdfChatPageQuerySchema = pdfChatQuerySchema.extend({
  cursor: cursorSchema.meta({
    description: 'The `earlierCursor` (with `file_name`) or `nextCursor` of the previous answer.',
  }),
});

export const pdfWordSchema = z
  .object({
    text: z.string(),
    left: z
      .number()
      .meta({ description: 'Like the other sides, a fraction of the page as displayed, 0 to 1.' }),
    top: z.number(),
    right: z.number(),
    bottom: z.number(),
  })
  .meta({ id: 'PdfWord' });
/** A word that OCR recognised on a scanned page. */
export type PdfWord = z.infer<typeof pdfWordSchema>;

export const pdfPageQuerySchema = z.object({
  file_name: pdfChatQuerySchema.shape.file_name.unwrap(),
  page: z.coerce.number('page must be a number.').int('page must be a whole number.').min(1).max(100_000),
});

export const samePdfQuerySchema = z.object({
  sha256: z
    .string('Give the SHA-256 of the file in hex.')
    .regex(/^[0-9a-f]{64}$/, 'Give the SHA-256 of the file in hex.')
    .meta({ description: 'The SHA-256 of the file’s bytes, in lower-case hex.' }),
});

export const samePdfConversationSchema = z.object({ notebookId: z.uuid(), fileName: z.string() });

export const pdfFileQuerySchema = z.object({ file_name: pdfChatQuerySchema.shape.file_name.unwrap() });

export const pdfAttachmentQuerySchema = pdfFileQuerySchema.extend({
  name: pdfAttachmentSchema.shape.name
    .min(1, 'Give the name of an attachment.')
    .max(ATTACHMENT_NAME_CHARACTERS)
    .meta({ description: 'The name of an attachment in the document’s list.' }),
});

export const earlierCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'The cursor that returns earlier messages, with `file_name`.' });

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
    .meta({ description: 'The cursor of the next page of documents; further pages have no `chatHistory`.' }),
});
export type PdfChatHistory = z.infer<typeof pdfChatHistorySchema>;
