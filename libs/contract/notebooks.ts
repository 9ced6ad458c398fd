import { z } from 'zod';
import { isStorable, withoutPastedControls } from './text.js';
import { citationSchema, pdfChatMessageSchema } from './pdf-chats.js';
import { cursorSchema } from './pagination.js';

export const MAX_NOTEBOOKS = 100;
export const MAX_NOTEBOOK_DOCUMENTS = 50;
/**
 * Maximum bytes of all texts of a notebook, replaced versions included: about 2,500 pages. A search of more would exceed the
 * time of a text thread.
 */
export const MAX_NOTEBOOK_TEXT_BYTES = 8_000_000;
export const MAX_NOTES = 100;
export const NOTE_MAX_CHARACTERS = 20_000;
/** Maximum characters of all notes of a notebook, which one answer lists. */
export const NOTES_MAX_CHARACTERS = 300_000;
export const NOTEBOOK_NAME_MAX_CHARACTERS = 120;
export const PASTED_TEXT_MAX_CHARACTERS = 500_000;

export const documentKindSchema = z.enum(['pdf', 'docx', 'text', 'markdown', 'html']);
export type DocumentKind = z.infer<typeof documentKindSchema>;

/** Schema of a name that a user gives. @param what what has the name, in messages */
const nameSchema = (what: string, max: number) =>
  z
    .string({ error: `Give the ${what} a name.` })
    .transform((name) => name.replace(/\s+/gu, ' ').trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(1, `Give the ${what} a name.`)
        .max(max, `A name has at most ${max} characters.`)
        .refine(isStorable, 'The name contains invalid characters.'),
    );

export const notebookNameSchema = nameSchema('notebook', NOTEBOOK_NAME_MAX_CHARACTERS);

export const notebookCitationSchema = citationSchema
  .extend({
    source: z.number().int().min(1).meta({ description: 'The document’s number in its notebook.' }),
    documentId: z.uuid(),
    document: z.string().meta({ description: 'The document’s name at the time of the answer.' }),
  })
  .meta({ id: 'NotebookCitation' });
/** A quotation in an answer or a note. It was found on the page of the document that it cites. */
export type NotebookCitation = z.infer<typeof notebookCitationSchema>;

export const notebookMessageSchema = pdfChatMessageSchema
  .extend({
    id: z.string().meta({ description: 'The id, with which an answer is kept as a note.' }),
    citations: z.array(notebookCitationSchema).optional(),
  })
  .meta({ id: 'NotebookMessage' });
/** One message of a notebook’s conversation. Answers name places as `[2, p. 3]`: page 3 of the document with number 2. */
export type NotebookMessage = z.infer<typeof notebookMessageSchema>;

export const documentSummarySchema = z
  .object({
    text: z.string().meta({
      description: 'What the document is about, in Markdown. Made by rules: the document’s opening.',
    }),
    keyPoints: z.array(z.string()).meta({ description: 'Made by rules: the document’s headings.' }),
    questions: z
      .array(z.string())
      .meta({ description: 'Questions worth asking; none if rules made the summary.' }),
    engine: z
      .enum(['openai', 'offline'])
      .meta({ description: '`offline` if rules made it: then it is opening and headings, not a summary.' }),
  })
  .meta({ id: 'DocumentSummary' });
export type DocumentSummary = z.infer<typeof documentSummarySchema>;

export const notebookDocumentSchema = z
  .object({
    id: z
      .uuid()
      .meta({ description: 'The document’s id; while it is being read, or if that failed, the job’s id.' }),
    name: z.string(),
    kind: documentKindSchema.nullable().meta({ description: 'Null until the document has been read.' }),
    state: z.enum(['reading', 'ready', 'failed', 'replaced']),
    jobId: z.uuid().nullable().meta({ description: 'The job that reads it, or that failed.' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'Why reading failed, or what to know about the text.' }),
    source: z.number().int().nullable().meta({
      description: 'Its number in citations, from 1, which never changes; null until it has been read.',
    }),
    enabled: z.boolean().meta({ description: 'Whether questions search it.' }),
    pages: z.number().int().nullable(),
    hasFile: z.boolean(),
    hasSummary: z.boolean(),
    addedAt: z.iso.datetime(),
    replacedBy: z.uuid().nullable().meta({ description: 'The id of its newer version.' }),
  })
  .meta({ id: 'NotebookDocument' });
export type NotebookDocument = z.infer<typeof notebookDocumentSchema>;

export const notebookSummarySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    documents: z.number().int().meta({ description: 'The number of documents that have been read.' }),
    messages: z.number().int(),
    notes: z.number().int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'NotebookSummary' });
export type NotebookSummary = z.infer<typeof notebookSummarySchema>;

export const newNotebookSchema = z.object({ name: notebookNameSchema });

export const changeNotebookDocumentSchema = z
  .object({
    enabled: z.boolean().optional(),
    name: nameSchema('document', NOTEBOOK_NAME_MAX_CHARACTERS).optional(),
  })
  .refine(({ enabled, name }) => enabled !== undefined || name !== undefined, 'Give enabled or name.');
export type ChangeNotebookDocument = z.infer<typeof changeNotebookDocumentSchema>;

export const notebookMessagesQuerySchema = z.object({
  cursor: cursorSchema.meta({ description: 'The `earlierCursor` of the previous answer.' }),
});
export const notebookWordsQuerySchema = z.object({
  page: z.coerce.number('page must be a number.').int('page must be a whole number.').min(1).max(100_000),
});

export const notebookNoteSchema = z
  .object({
    id: z.uuid(),
    content: z.string().meta({ description: 'Markdown; places as `[2, p. 3]`.' }),
    citations: z.array(notebookCitationSchema),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'NotebookNote' });
export type NotebookNote = z.infer<typeof notebookNoteSchema>;

const noteContentSchema = z
  .string({ error: 'Write the note.' })
  .overwrite(withoutPastedControls)
  .trim()
  .min(1, 'Write the note.')
  .max(NOTE_MAX_CHARACTERS, `A note has at most ${NOTE_MAX_CHARACTERS.toLocaleString('en-US')} characters.`)
  .refine(isStorable, 'The note contains invalid characters.');

export const newNoteSchema = z
  .object({
    messageId: z
      .string()
      .regex(/^\d{1,18}$/, 'messageId must be the id of a message.')
      .optional()
      .meta({ description: 'An answer to keep, with its citations.' }),
    content: noteContentSchema.optional().meta({ description: 'Instead: a note in the user’s own words.' }),
  })
  .refine(
    ({ messageId, content }) => (messageId === undefined) !== (content === undefined),
    'Give either messageId or content.',
  );
export type NewNote = z.infer<typeof newNoteSchema>;
export const changeNoteSchema = z.object({ content: noteContentSchema });
export const noteOrderSchema = z.object({
  ids: z.array(z.uuid('Give the ids of all notes.')).max(MAX_NOTES, 'Give the ids of all notes.'),
});
