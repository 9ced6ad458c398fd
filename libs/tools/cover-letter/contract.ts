import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { resumeAndJobFiles, resumeLinesInput } from '#libs/contract/resume-and-job.js';
import { fileNoticeSchema } from '#libs/contract/scans.js';

export const coverLetter = defineTool({
  title: 'Cover Letter Writer',
  label: 'Write Cover Letter',
  tagline: 'A letter for one job that says nothing your resume does not.',
  description:
    'Writes a cover letter for a job description from your resume alone, and shows for each sentence what it rests on.',
  order: 8,
  group: 'resumes',
  example: {
    jobDescription:
      'We look for a TypeScript engineer who knows PostgreSQL and Docker and likes to write tests.',
  },
  creation: { type: 'cover-letter', label: 'Cover letter', editable: true },
  input: resumeLinesInput,
  files: resumeAndJobFiles,
  output: z.object({
    content: z
      .string()
      .meta({ description: 'The letter in Markdown, and after it what each sentence rests on.' }),
    ...engineShape,
    notice: fileNoticeSchema,
  }),
  queue: 'pdf',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: (_, { resume }) => jobTitleFrom(`Cover letter from ${resume ?? 'a resume'}`),
  successMessage: 'Cover letter written',
});
