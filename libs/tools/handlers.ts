import type { ToolHandlers } from '#libs/jobs/tool-handler.js';
import { articleHandler } from './generate-article/run.js';
import { blogTitleHandler } from './generate-blog-title/run.js';
import { humanizeHandler } from './humanize-text/run.js';
import { chatWithPdfHandler } from './chat-with-pdf/run.js';
import { resumeReviewHandler } from './resume-review/run.js';
import { atsHandler } from './calculate-ats-score/run.js';
import { generateImageHandler } from './generate-image/run.js';
import { removeImageBackgroundHandler } from './remove-image-background/run.js';
import { removeImageObjectHandler } from './remove-image-object/run.js';

/** Every tool's handler: one of the four lists that a new tool is added to (CONTRIBUTING.md). A missing one does not compile. */
export const handlers: ToolHandlers = {
  'generate-article': articleHandler,
  'generate-blog-title': blogTitleHandler,
  'humanize-text': humanizeHandler,
  'chat-with-pdf': chatWithPdfHandler,
  'resume-review': resumeReviewHandler,
  'calculate-ats-score': atsHandler,
  'generate-image': generateImageHandler,
  'remove-image-background': removeImageBackgroundHandler,
  'remove-image-object': removeImageObjectHandler,
};
