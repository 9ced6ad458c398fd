import { z } from 'zod';
import { citationSchema, pdfChatMessageSchema } from '#libs/contract/pdf-chats.js';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { requiredText } from '#libs/contract/required-text.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { scanLanguageSchema } from '#libs/contract/scans.js';

export const QUESTION_MAX_CHARACTERS = 4_000;
/** Maximum number of messages in a client's history; older messages are ignored. */
const HISTORY_MESSAGES = 100;
const HISTORY_MESSAGE_CHARACTERS = 20_000;

const NO_SUCH_NAME = 'file_name must be the name that a document is listed under.';
const HISTORY_IS_WRONG = 'chatHistory must be the JSON text of a list of messages with role and content.';

/** A message in a client's history. Unknown fields are ignored. */
const historyMessageSchema = z.object(
  {
    role: z.enum(['user', 'assistant']).catch('assistant'),
    content: z
      .string({ error: HISTORY_IS_WRONG })
      .transform((content) => content.slice(0, HISTORY_MESSAGE_CHARACTERS).toWellFormed()),
  },
  { error: HISTORY_IS_WRONG },
);

/** Accepts JSON text (from a multipart request) or a list (from a stored job). Blank text is an empty list. */
const historySchema = z
  .preprocess(
    (value) => (typeof value === 'string' ? parseJson(value) : value),
    z.array(historyMessageSchema, { error: HISTORY_IS_WRONG }),
  )
  .transform((messages) => messages.slice(-HISTORY_MESSAGES));

export const chatWithPdfInputSchema = z.object({
  message: requiredText('Please enter your question', 'question', QUESTION_MAX_CHARACTERS).meta({
    description: 'The question.',
  }),
  chatHistory: historySchema.optional().meta({
    description:
      'JSON text of the messages so far, `{role, content}` each. Used only where the server has no conversation about this document.',
  }),
  file_name: z.string(NO_SUCH_NAME).trim().max(300, NO_SUCH_NAME).optional().meta({
    description: 'Instead of the file: a document that was sent before, by the name it is listed under.',
  }),
  document_id: z
    .uuid('document_id must be the documentId of an earlier answer.')
    .optional()
    .meta({ description: 'Instead of the file: the same by its `documentId`.' }),
  notebook_id: z
    .uuid('notebook_id must be the notebookId of an earlier answer.')
    .optional()
    .meta({ description: 'Instead of the file: a conversation by its `notebookId`.' }),
  conversation: z
    .enum(['continue', 'new'], { error: 'conversation must be continue or new.' })
    .optional()
    .meta({
      description:
        'With a file that was sent before: whether to continue its latest conversation, which is the default, or to start a new one.',
    }),
  language: scanLanguageSchema.optional(),
});

export const chatWithPdfOutputSchema = z.object({
  content: z.string().meta({
    description:
      'The answer in Markdown. Pages are named as `[p. 3]`, or by the printed number, such as `[p. iii]`.',
  }),
  citations: z.array(citationSchema).meta({
    description: 'The quotations of the answer, each found word for word on its page.',
  }),
  chatHistory: z.array(pdfChatMessageSchema).meta({
    description: 'The conversation, at most its latest thousand messages. Lists of jobs leave it out.',
  }),
  fileName: z.string().meta({ description: 'The name the document is listed under.' }),
  documentId: z.uuid(),
  notebookId: z.uuid().meta({ description: 'The conversation’s id.' }),
  ...engineShape,
});

export const chatWithPdf = defineTool({
  title: 'Chat With PDF',
  label: 'Chat With PDF',
  tagline: 'Answers questions about a document, from the document.',
  description: 'Answers questions about a PDF from its own text, with page numbers.',
  order: 12,
  group: 'documents',
  example: { message: 'What does the contract say about notice?' },
  creation: null,
  input: chatWithPdfInputSchema,
  files: { pdf: { kind: 'pdf', required: false, missing: 'Please upload a PDF file first' } },
  check: ({ file_name, document_id, notebook_id }, files) =>
    files.has('pdf') || file_name || document_id || notebook_id
      ? null
      : { field: 'pdf', message: 'Please upload a PDF file first' },
  output: chatWithPdfOutputSchema,
  queue: 'pdf',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 900,
  jobTitle: ({ message, file_name }, { pdf }) => jobTitleFrom(`${pdf ?? file_name ?? 'PDF'}: ${message}`),
  successMessage: 'Question answered',
  failureMessage: 'Failed to process PDF',
});

/** Returns invalid JSON unchanged, so that the schema rejects it. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return [];
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
