import { z } from 'zod';
import type { FileField } from './define-tool.js';
import { requiredText } from './required-text.js';
import { scanLanguageSchema } from './scans.js';

const JOB_DESCRIPTION_MAX_CHARACTERS = 20_000;

export const BOTH_NEEDED = 'Please upload a resume and enter a job description';

export const resumeAndJobInput = z.object({
  jobDescription: requiredText(BOTH_NEEDED, 'job description', JOB_DESCRIPTION_MAX_CHARACTERS).meta({
    description: 'The job description, as plain text.',
  }),
  language: scanLanguageSchema.optional(),
});

export const EXCLUDE_MAX_CHARACTERS = 10_000;

export const resumeLinesInput = resumeAndJobInput.extend({
  exclude: z
    .string({ error: 'Send the earlier text as text.' })
    .trim()
    .max(
      EXCLUDE_MAX_CHARACTERS,
      `Keep the earlier text within ${EXCLUDE_MAX_CHARACTERS.toLocaleString('en-US')} characters.`,
    )
    .optional()
    .meta({
      description:
        'An existing text, such as an earlier result. Lines of the resume that occur in it come last.',
    }),
});

export const resumeAndJobFiles = {
  resume: { kind: 'resume', required: true, missing: BOTH_NEEDED },
} satisfies Record<string, FileField>;
