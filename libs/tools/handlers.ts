import type { ToolHandler, ToolHandlers } from '#libs/jobs/tool-handler.js';
import type { ToolName } from './catalogue.js';

/** Every tool's handler. A new tool must be added to several lists, including this (CONTRIBUTING.md). */
export const handlers: ToolHandlers = {
  'generate-article': onFirstJob(async () => (await import('./generate-article/run.js')).articleHandler),
  'generate-blog-title': onFirstJob(
    async () => (await import('./generate-blog-title/run.js')).blogTitleHandler,
  ),
  'humanize-text': onFirstJob(async () => (await import('./humanize-text/run.js')).humanizeHandler),
  'rewrite-text': onFirstJob(async () => (await import('./rewrite-text/run.js')).rewriteHandler),
  'chat-with-pdf': onFirstJob(async () => (await import('./chat-with-pdf/run.js')).chatWithPdfHandler),
  'add-notebook-document': onFirstJob(
    async () => (await import('./add-notebook-document/run.js')).addNotebookDocumentHandler,
  ),
  'ask-notebook': onFirstJob(async () => (await import('./ask-notebook/run.js')).askNotebookHandler),
  'summarise-document': onFirstJob(
    async () => (await import('./summarise-document/run.js')).summariseDocumentHandler,
  ),
  'notes-to-text': onFirstJob(async () => (await import('./notes-to-text/run.js')).notesToTextHandler),
  'resume-review': onFirstJob(async () => (await import('./resume-review/run.js')).resumeReviewHandler),
  'calculate-ats-score': onFirstJob(async () => (await import('./calculate-ats-score/run.js')).atsHandler),
  'tailored-bullets': onFirstJob(
    async () => (await import('./tailored-bullets/run.js')).tailoredBulletsHandler,
  ),
  'cover-letter': onFirstJob(async () => (await import('./cover-letter/run.js')).coverLetterHandler),
  'generate-image': onFirstJob(async () => (await import('./generate-image/run.js')).generateImageHandler),
  'remove-image-background': onFirstJob(
    async () => (await import('./remove-image-background/run.js')).removeImageBackgroundHandler,
  ),
  'remove-image-object': onFirstJob(
    async () => (await import('./remove-image-object/run.js')).removeImageObjectHandler,
  ),
};

/** Loads a tool's code, language data and image libraries with its first job, so that workers start quickly. */
function onFirstJob<N extends ToolName>(load: () => Promise<ToolHandler<N>>): ToolHandler<N> {
  return {
    withProvider: async (...job) => (await load()).withProvider(...job),
    offline: async (...job) => (await load()).offline(...job),
  };
}
