import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { MAX_NOTES, NOTEBOOK_NAME_MAX_CHARACTERS } from '#libs/contract/notebooks.js';
import { jobTitleFrom } from '#libs/contract/text.js';

export const notesToText = defineTool({
  title: 'Notes as a text',
  label: 'Notes as a text',
  tagline: 'Makes a text of a notebook’s notes.',
  description: 'Makes a text for the editor out of a notebook’s notes, with a footnote for each citation.',
  order: 16,
  group: 'documents',
  example: { notebook_id: '0d9f8e5c-5b5e-4d0e-9f35-0e6a5f1b2c3d' },
  partOf: 'ask-notebook',
  creation: { type: 'notes', label: 'Notes', editable: true },
  input: z.object({
    notebook_id: z.uuid('notebook_id must be the id of a notebook.'),
    notes: z
      .array(z.uuid('notes must be ids of notes.'))
      .min(1, 'Choose at least one note.')
      .max(MAX_NOTES)
      .optional()
      .meta({ description: 'The notes, in this order; by default all in the notebook’s order.' }),
    title: z
      .string()
      .trim()
      .max(NOTEBOOK_NAME_MAX_CHARACTERS, `A title has at most ${NOTEBOOK_NAME_MAX_CHARACTERS} characters.`)
      .optional()
      .meta({ description: 'The heading; by default the notebook’s name.' }),
  }),
  output: z.object({
    notebookId: z.uuid(),
    content: z
      .string()
      .meta({ description: 'Markdown with footnotes (`[^1]`) that name document and page.' }),
    ...engineShape,
  }),
  queue: 'text',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 60,
  jobTitle: ({ title }) => jobTitleFrom(title || 'Notes'),
  successMessage: 'Text made',
});
