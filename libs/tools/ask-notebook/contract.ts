import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { MAX_NOTEBOOK_DOCUMENTS, notebookCitationSchema } from '#libs/contract/notebooks.js';
import { requiredText } from '#libs/contract/required-text.js';
import { jobTitleFrom } from '#libs/contract/text.js';

export const QUESTION_MAX_CHARACTERS = 4_000;

export const askNotebook = defineTool({
  title: 'Notebooks',
  label: 'Notebooks',
  tagline: 'Answers questions about many documents, and says where each answer stands.',
  description: 'Answers a question from the documents of a notebook, with document and page.',
  order: 13,
  group: 'documents',
  example: { notebook_id: '0d9f8e5c-5b5e-4d0e-9f35-0e6a5f1b2c3d', message: 'Which ships need a pilot?' },
  creation: null,
  input: z.object({
    notebook_id: z.uuid('notebook_id must be the id of a notebook.'),
    message: requiredText('Please enter your question', 'question', QUESTION_MAX_CHARACTERS).meta({
      description: 'The question.',
    }),
    documents: z
      .array(z.uuid('documents must be ids of documents of the notebook.'))
      .min(1, 'Choose at least one document.')
      .max(MAX_NOTEBOOK_DOCUMENTS)
      .optional()
      .meta({ description: 'The documents to search; by default those that are switched on.' }),
  }),
  output: z.object({
    content: z.string().meta({
      description:
        'The answer in Markdown. Places are named as `[2, p. 3]`: page 3 of the document with number 2.',
    }),
    citations: z.array(notebookCitationSchema).meta({
      description: 'The quotations of the answer, each found word for word on its page.',
    }),
    notebookId: z.uuid(),
    ...engineShape,
  }),
  queue: 'pdf',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 900,
  jobTitle: ({ message }) => jobTitleFrom(message),
  successMessage: 'Question answered',
  failureMessage: 'Failed to answer the question',
});
