import { replacedLinesSchema, replaceLinesForm } from '../resume-lines.js';
import { defineRoute, ok } from './define-route.js';

export const resumeLinesRoutes = {
  replaceResumeLines: defineRoute('POST', '/api/ai/tailored-bullets/resume', {
    scope: 'resumes',
    tag: 'Tools',
    summary: 'Puts tailored bullets into a resume in Word',
    description:
      'Replaces lines in the body of a Word document (.docx) and returns the document. A line is found by its words. The new ' +
      'text has the formatting of the first text of the old one, and all other parts of the file keep their bytes. It costs no ' +
      'credits and stores nothing. A user can call it `RATE_LIMIT_PREVIEWS` times a minute (429).',
    form: replaceLinesForm,
    answers: ok(replacedLinesSchema.shape, 'The document, and what was replaced'),
    errors: ['UNSUPPORTED_FILE', 'UNREADABLE_DOCUMENT', 'DISK_FULL'],
  }),
};
