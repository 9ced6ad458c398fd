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
const ofNotebook = { tag, params: notebookId, errors } as const;
const ofDocument = { ...ofNotebook, params: documentId } as const;
const ofNote = { ...ofNotebook, params: noteId } as const;
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
    ...ofNotebook,
    summary: 'A notebook with its documents',
    answers: ok(
      { notebook: notebookSummarySchema, documents: z.array(notebookDocumentSchema) },
      'The notebook; its documents in the order they were added, those being read last',
    ),
  }),
  renameNotebook: defineRoute('PATCH', '/api/notebooks/:id', {
    ...ofNotebook,
    summary: 'Renames a notebook, or the conversation of a PDF chat',
    description: 'A name that another PDF chat has gets a number.',
    body: newNotebookSchema,
    answers: { 200: oneNotebook },
  }),
  deleteNotebook: defineRoute('DELETE', '/api/notebooks/:id', {
    ...ofNotebook,
    summary: 'Deletes a notebook with its conversation, notes, and documents that no other notebook has',
    description: 'Also ends its unfinished jobs.',
    answers: deleted,
  }),
  getNotebookMessages: defineRoute('GET', '/api/notebooks/:id/messages', {
    ...ofNotebook,
    summary: 'The latest messages of a notebook’s conversation, oldest first',
    query: notebookMessagesQuerySchema,
    answers: ok(
      { messages: z.array(notebookMessageSchema), earlierCursor: z.string().nullable() },
      'The messages, about 256 kB of them',
    ),
  }),
  clearNotebookMessages: defineRoute('DELETE', '/api/notebooks/:id/messages', {
    ...ofNotebook,
    summary: 'Clears a notebook’s conversation; documents and notes stay',
    answers: deleted,
  }),
  getNotebookDocument: defineRoute('GET', '/api/notebooks/:id/documents/:documentId', {
    ...ofDocument,
    summary: 'A document of a notebook with its summary and the text of its pages, replaced versions too',
    answers: ok(
      {
        document: notebookDocumentSchema,
        summary: documentSummarySchema.nullable(),
        pages: z.array(z.string()).meta({ description: 'The text of each page, as questions search it.' }),
      },
      'The document',
    ),
  }),
  changeNotebookDocument: defineRoute('PATCH', '/api/notebooks/:id/documents/:documentId', {
    ...ofDocument,
    summary: 'Switches a document on or off for questions, or renames it',
    body: changeNotebookDocumentSchema,
    answers: { 200: json(success({ document: notebookDocumentSchema }), 'The document') },
  }),
  removeNotebookDocument: defineRoute('DELETE', '/api/notebooks/:id/documents/:documentId', {
    ...ofDocument,
    summary:
      'Removes a document from a notebook; with a job’s id, ends its reading or forgets that it failed',
    answers: deleted,
  }),
  getNotebookDocumentFile: defineRoute('GET', '/api/notebooks/:id/documents/:documentId/file', {
    ...ofDocument,
    summary: 'The file of a document, for its owner; 404 if it is not stored',
    answers: fileAnswers({
      description: 'The file; HTML and Markdown as plain text',
      content: {
        'application/pdf': z.string().meta({ format: 'binary' }),
        'application/octet-stream': z.string().meta({ format: 'binary' }),
      },
    }),
  }),
  getNotebookDocumentWords: defineRoute('GET', '/api/notebooks/:id/documents/:documentId/words', {
    ...ofDocument,
    summary: 'The words of a scanned page with their positions; none for a page with text',
    query: notebookWordsQuerySchema,
    answers: ok({ words: z.array(pdfWordSchema) }, 'The words in reading order'),
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
    ...ofNotebook,
    summary: 'The notes of a notebook, in their order',
    answers: ok({ notes: z.array(notebookNoteSchema) }, 'The notes'),
  }),
  addNote: defineRoute('POST', '/api/notebooks/:id/notes', {
    ...ofNotebook,
    summary: 'Keeps an answer with its citations as a note, or a text of the user',
    description: 'An answer that is already a note is not kept again.',
    body: newNoteSchema,
    answers: { 200: oneNote },
  }),
  changeNote: defineRoute('PATCH', '/api/notebooks/:id/notes/:noteId', {
    ...ofNote,
    summary: 'Changes the text of a note; its citations stay',
    body: changeNoteSchema,
    answers: { 200: oneNote },
  }),
  deleteNote: defineRoute('DELETE', '/api/notebooks/:id/notes/:noteId', {
    ...ofNote,
    summary: 'Deletes a note',
    answers: deleted,
  }),
  orderNotes: defineRoute('PUT', '/api/notebooks/:id/notes/order', {
    ...ofNotebook,
    summary: 'Sets the order of the notes',
    description: 'Notes that are not listed come last.',
    body: noteOrderSchema,
    answers: ok({ message: z.string() }, 'The notes have the order'),
  }),
};
