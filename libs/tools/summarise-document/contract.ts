import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { documentSummarySchema } from '#libs/contract/notebooks.js';

export const summariseDocument = defineTool({
  title: 'Summary of a document',
  label: 'Summary',
  tagline: 'Sums up a document.',
  description:
    'Makes the summary, key points and questions of a document of a PDF chat or a notebook. A document has one summary: later requests get the same.',
  order: 15,
  group: 'documents',
  example: { document_id: '0d9f8e5c-5b5e-4d0e-9f35-0e6a5f1b2c3d' },
  partOf: 'ask-notebook',
  creation: null,
  input: z.object({
    document_id: z.uuid('document_id must be the id of a document.'),
  }),
  output: z.object({ documentId: z.uuid(), summary: documentSummarySchema, ...engineShape }),
  queue: 'pdf',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: () => 'Summary',
  successMessage: 'Document summarised',
  failureMessage: 'Failed to summarise the document',
});
