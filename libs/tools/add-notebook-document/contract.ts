import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import {
  documentKindSchema,
  NOTEBOOK_NAME_MAX_CHARACTERS,
  PASTED_TEXT_MAX_CHARACTERS,
} from '#libs/contract/notebooks.js';
import { fileNoticeSchema, scanLanguageSchema } from '#libs/contract/scans.js';
import { jobTitleFrom } from '#libs/contract/text.js';

const MISSING = 'Choose a file, or paste a text.';

export const addNotebookDocument = defineTool({
  title: 'Add a document to a notebook',
  label: 'Add a document',
  tagline: 'Reads a document for a notebook.',
  description:
    'Reads a file or a pasted text and adds it to a notebook, or replaces a document by its newer version.',
  order: 14,
  group: 'documents',
  example: {
    notebook_id: '0d9f8e5c-5b5e-4d0e-9f35-0e6a5f1b2c3d',
    text: 'Ships over 120 metres need a pilot.',
    name: 'Rules',
  },
  partOf: 'ask-notebook',
  creation: null,
  input: z.object({
    notebook_id: z.uuid('notebook_id must be the id of a notebook.'),
    text: z
      .string()
      .trim()
      .max(
        PASTED_TEXT_MAX_CHARACTERS,
        `Paste at most ${PASTED_TEXT_MAX_CHARACTERS.toLocaleString('en-US')} characters.`,
      )
      .optional()
      .meta({ description: 'Instead of a file: a text, in Markdown or plain.' }),
    name: z
      .string()
      .trim()
      .max(NOTEBOOK_NAME_MAX_CHARACTERS, `A name has at most ${NOTEBOOK_NAME_MAX_CHARACTERS} characters.`)
      .optional()
      .meta({ description: 'The document’s name; by default the file’s name, or the start of the text.' }),
    replaces: z.uuid('replaces must be the id of a document of the notebook.').optional().meta({
      description: 'The document that this is a newer version of. Answers so far cite the old version.',
    }),
    language: scanLanguageSchema.optional(),
  }),
  files: { document: { kind: 'document', required: false, missing: MISSING } },
  check: ({ text }, files) =>
    files.has('document') === Boolean(text) ? { field: 'document', message: MISSING } : null,
  output: z.object({
    notebookId: z.uuid(),
    documentId: z.uuid(),
    name: z.string(),
    kind: documentKindSchema,
    pages: z.number().int(),
    notice: fileNoticeSchema,
    ...engineShape,
  }),
  queue: 'pdf',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 900,
  jobTitle: ({ name, text }, { document }) => jobTitleFrom(name || document || text || 'Document'),
  successMessage: 'Document added',
  failureMessage: 'Failed to read the document',
});
