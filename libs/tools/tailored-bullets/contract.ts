import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { resumeAndJobFiles, resumeLinesInput } from '#libs/contract/resume-and-job.js';
import { fileNoticeSchema } from '#libs/contract/scans.js';

export const tailoredBullets = defineTool({
  title: 'Resume Tailor',
  label: 'Tailor Bullets',
  tagline: 'The lines of your resume that answer one job, each with the words it rests on.',
  description:
    'Chooses and words the bullets of your resume for a job description. Each shows the words of the resume that it rests on.',
  order: 7,
  group: 'resumes',
  example: {
    jobDescription:
      'We look for a TypeScript engineer who knows PostgreSQL and Docker and likes to write tests.',
  },
  creation: { type: 'tailored-bullets', label: 'Tailored bullets', editable: true },
  input: resumeLinesInput,
  files: resumeAndJobFiles,
  output: z.object({
    content: z.string().meta({ description: 'The bullets in Markdown, each with its sources.' }),
    ...engineShape,
    notice: fileNoticeSchema,
  }),
  queue: 'pdf',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: (_, { resume }) => jobTitleFrom(`Tailored bullets of ${resume ?? 'a resume'}`),
  successMessage: 'Bullets tailored successfully',
});
