import { z } from 'zod';
import {
  changeNotebookDocumentSchema,
  changeNoteSchema,
  documentSummarySchema,
  MAX_NOTEBOOK_DOCUMENTS,
  newNotebookSchema,
  newNoteSchema,
  notebookDocumentSchema,
  notebookMessageSchema,
  notebookMessagesQuerySchema,
  notebookNoteSchema,
  notebookSummarySchema,
  notebookWordsQuerySchema,
  noteOrderSchema,
} from '../notebooks.js';
import { pdfWordSchema } from '../pdf-chats.js';
import { defineRoute, fileAnswers, json, ok, success } from './define-route.js';

const tag = 'Notebooks';
const errors = ['NOT_FOUND'] as const;
const notebookId = z.object({ id: z.uuid() });
const documentId = notebookId.extend({ documentId: z.uuid() });
const noteId = notebookId.extend({ noteId: z.uuid() });
const deleted = ok({ message: z.string() }, 'Deleted');
const oneNotebook = json(success({ notebook: notebookSummarySchema }), 'The notebook');
const oneNote = json(success({ note: notebookNoteSchema }), 'The note');

export const notebookRoutes = {
  listNotebooks: defineRoute('GET', '/api/notebooks', {
    tag,
    summary: 'The caller’s notebooks, the last used first',
    description: 'Event: `notebooks`, without a payload, each time one changes.',
    answers: ok({ notebooks: z.array(notebookSummarySchema) }, 'The notebooks'),
  }),
  addNotebook: defineRoute('POST', '/api/notebooks', {
    tag,
    summary: 'Starts a notebook',
    description: `A conversation about up to ${MAX_NOTEBOOK_DOCUMENTS} documents. The tool add-notebook-document adds one, ask-notebook asks, summarise-document sums one up, notes-to-text makes a text of the notes.`,
    body: newNotebookSchema,
    answers: { 200: oneNotebook },
  }),
  getNotebook: defineRoute('GET', '/api/notebooks/:id', {
    tag,
    summary: 'A notebook with its documents',
    params: notebookId,
    answers: ok(
      { notebook: notebookSummarySchema, documents: z.array(notebookDocumentSchema) },
      'The notebook; its documents in the order they were added, those being read last',
    ),
    errors,
  }),
  renameNotebook: defineRoute('PATCH', '/api/notebooks/:id', {
    tag,
    summary: 'Renames a notebook, or the conversation of a PDF chat',
    description: 'A name that another PDF chat has gets a number.',
    params: notebookId,
    body: newNotebookSchema,
    answers: { 200: oneNotebook },
    errors,
  }),
  deleteNotebook: defineRoute('DELETE', '/api/notebooks/:id', {
    tag,
    summary: 'Deletes a notebook with its conversation, notes, and documents that no other notebook has',
    description: 'Also ends its unfinished jobs.',
    params: notebookId,
    answers: deleted,
    errors,
  }),
  getNotebookMessages: defineRoute('GET', '/api/notebooks/:id/messages', {
    tag,
    summary: 'The latest messages of a notebook’s conversation, oldest first',
    params: notebookId,
    query: notebookMessagesQuerySchema,
    answers: ok(
      { messages: z.array(notebookMessageSchema), earlierCursor: z.string().nullable() },
      'The messages, at most 1 MB of them',
    ),
    errors,
  }),
  clearNotebookMessages: defineRoute('DELETE', '/api/notebooks/:id/messages', {
    tag,
    summary: 'Clears a notebook’s conversation; documents and notes stay',
    params: notebookId,
    answers: deleted,
    errors,
  }),
  getNotebookDocument: defineRoute('GET', '/api/notebooks/:id/documents/:documentId', {
    tag,
    summary: 'A document of a notebook with its summary and the text of its pages, replaced versions too',
    params: documentId,
    answers: ok(
      {
        document: notebookDocumentSchema,
        summary: documentSummarySchema.nullable(),
        pages: z.array(z.string()).meta({ description: 'The text of each page, as questions search it.' }),
      },
      'The document',
    ),
    errors,
  }),
  changeNotebookDocument: defineRoute('PATCH', '/api/notebooks/:id/documents/:documentId', {
    tag,
    summary: 'Switches a document on or off for questions, or renames it',
    params: documentId,
    body: changeNotebookDocumentSchema,
    answers: { 200: json(success({ document: notebookDocumentSchema }), 'The document') },
    errors,
  }),
  removeNotebookDocument: defineRoute('DELETE', '/api/notebooks/:id/documents/:documentId', {
    tag,
    summary:
      'Removes a document from a notebook; with a job’s id, ends its reading or forgets that it failed',
    params: documentId,
    answers: deleted,
    errors,
  }),
  getNotebookDocumentFile: defineRoute('GET', '/api/notebooks/:id/documents/:documentId/file', {
    tag,
    summary: 'The file of a document, for its owner; 404 if it is not stored',
    params: documentId,
    answers: fileAnswers({
      description: 'The file; HTML and Markdown as plain text',
      content: {
        'application/pdf': z.string().meta({ format: 'binary' }),
        'application/octet-stream': z.string().meta({ format: 'binary' }),
      },
    }),
    errors,
  }),
  getNotebookDocumentWords: defineRoute('GET', '/api/notebooks/:id/documents/:documentId/words', {
    tag,
    summary: 'The words of a scanned page with their positions; none for a page with text',
    params: documentId,
    query: notebookWordsQuerySchema,
    answers: ok({ words: z.array(pdfWordSchema) }, 'The words in reading order'),
    errors,
  }),
  getDocumentSummary: defineRoute('GET', '/api/documents/:documentId/summary', {
    tag,
    summary:
      'The summary of a document of a notebook or a PDF chat; null until `summarise-document` has made it',
    params: z.object({ documentId: z.uuid() }),
    answers: ok({ summary: documentSummarySchema.nullable() }, 'The summary'),
    errors,
  }),
  listNotes: defineRoute('GET', '/api/notebooks/:id/notes', {
    tag,
    summary: 'The notes of a notebook, in their order',
    params: notebookId,
    answers: ok({ notes: z.array(notebookNoteSchema) }, 'The notes'),
    errors,
  }),
  addNote: defineRoute('POST', '/api/notebooks/:id/notes', {
    tag,
    summary: 'Keeps an answer with its citations as a note, or a text of the user',
    description: 'An answer that is already a note is not kept again.',
    params: notebookId,
    body: newNoteSchema,
    answers: { 200: oneNote },
    errors,
  }),
  changeNote: defineRoute('PATCH', '/api/notebooks/:id/notes/:noteId', {
    tag,
    summary: 'Changes the text of a note; its citations stay',
    params: noteId,
    body: changeNoteSchema,
    answers: { 200: oneNote },
    errors,
  }),
  deleteNote: defineRoute('DELETE', '/api/notebooks/:id/notes/:noteId', {
    tag,
    summary: 'Deletes a note',
    params: noteId,
    answers: deleted,
    errors,
  }),
  orderNotes: defineRoute('PUT', '/api/notebooks/:id/notes/order', {
    tag,
    summary: 'Sets the order of the notes',
    description: 'Notes that are not listed come last.',
    params: notebookId,
    body: noteOrderSchema,
    answers: ok({ notes: z.array(notebookNoteSchema) }, 'The notes in their new order'),
    errors,
  }),
};
