import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { proofreadingSchema } from '#libs/contract/language-faults.js';
import { fileNoticeSchema, scanLanguageSchema } from '#libs/contract/scans.js';

export const resumeReview = defineTool({
  title: 'Resume Reviewer',
  label: 'Review Resume',
  tagline: 'Reads your resume as a recruiter does, and says what to change.',
  description: 'Goes through your resume section by section and says what to improve.',
  order: 5,
  group: 'resumes',
  example: { language: 'en' },
  creation: { type: 'resume-review', label: 'Resume review', editable: true },
  input: z.object({ language: scanLanguageSchema.optional() }),
  files: {
    resume: { kind: 'resume', required: true, missing: 'Upload your resume as a PDF or Word (.docx) file.' },
  },
  output: z.object({
    content: z.string().meta({ description: 'The review in Markdown.' }),
    ...engineShape,
    notice: fileNoticeSchema,
    proofreading: proofreadingSchema({
      page: z.number().int(),
      line: z.number().int().meta({ description: 'Among the lines with text of its page, from 1.' }),
      section: z.string().nullable().meta({ description: 'The heading that it stands under.' }),
    }).meta({
      description:
        'Faults of spelling and grammar in the resume, as the review lists them. Null where they were not checked.',
    }),
  }),
  queue: 'pdf',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: (_, { resume }) => jobTitleFrom(`Resume review of ${resume ?? 'a resume'}`),
  successMessage: 'Resume reviewed successfully',
});

export type ResumeReview = z.output<typeof resumeReview.output>;
