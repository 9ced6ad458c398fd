import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { engineShape } from '#libs/contract/engine.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { fileNoticeSchema } from '#libs/contract/scans.js';
import { resumeAndJobFiles, resumeAndJobInput } from '#libs/contract/resume-and-job.js';

/**
 * The weight of each importance in the score. `term` is a word of the job description that is not a known skill. A skill
 * with three or more mentions weighs one more.
 */
export const importanceWeights = { required: 3, mentioned: 2, preferred: 1, term: 1 } as const;
export const importances = ['required', 'mentioned', 'preferred', 'term'] as const;

const resumeEvidenceSchema = z.object({
  quote: z.string().meta({ description: 'Words of the resume, as they stand there.' }),
  page: z.number().int().meta({ description: 'The page they stand on, from 1.' }),
});

export const skillResultSchema = z.object({
  match: z.boolean(),
  feedback: z.string(),
  importance: z.enum(importances),
  weight: z.number().meta({ description: 'What this skill weighs in the score.' }),
  credit: z.number().min(0).max(1).meta({
    description:
      '1 for a match, 0.5 for one that stands in a mere list of keywords alone or for a language below the requested level, 0 for none.',
  }),
  job: z.object({ quote: z.string().meta({ description: 'Words of the job description that ask for it.' }) }),
  resume: resumeEvidenceSchema.nullable().meta({ description: 'Words of the resume that show it.' }),
});
export type SkillResult = z.infer<typeof skillResultSchema>;

/** The credited share of all weights, 0 to 100. */
export function scoreOf(breakdown: Record<string, Pick<SkillResult, 'weight' | 'credit'>>): number {
  let weights = 0;
  let credited = 0;
  for (const { weight, credit } of Object.values(breakdown)) {
    weights += weight;
    credited += weight * credit;
  }
  if (weights === 0) return 0;
  return Math.min(100, Math.max(0, Math.round((100 * credited) / weights)));
}

export const requirementSchema = z.object({
  kind: z.enum(['experience', 'education']),
  job: z.object({ quote: z.string() }),
  resume: resumeEvidenceSchema.nullable(),
  met: z.boolean().nullable().meta({ description: 'null where it cannot be told from the text.' }),
  note: z.string(),
});
export type Requirement = z.infer<typeof requirementSchema>;

export const atsResultSchema = z.object({
  score: z.number().int().min(0).max(100).meta({
    description:
      '100 × the sum of weight × credit, divided by the sum of weights, over the breakdown; rounded.',
  }),
  breakdown: z.record(z.string(), skillResultSchema).meta({
    description: 'The skills of the job description by name, with underscores for spaces.',
  }),
  order: z.array(z.string()).meta({
    description:
      'The names of the breakdown in their order: by importance, and of equal importance what is missing first. A map has no order once it was stored.',
  }),
  limits: z.string().nullable().meta({
    description:
      'In results of version 0.2 and earlier: why the score is no measure of the match, such as a language that is not supported. Null in others.',
  }),
  feedback: z.string(),
  suggestions: z.array(z.string()),
  requirements: z.array(requirementSchema).meta({
    description: 'Years of experience and degrees that the job asks for. They are not part of the score.',
  }),
});
export type AtsResult = z.infer<typeof atsResultSchema>;

export const calculateAtsScore = defineTool({
  title: 'ATS Score Calculator',
  label: 'Calculate ATS Score',
  tagline: 'Measures a resume against a job description, skill by skill.',
  description: 'Compares your resume with a job description, skill by skill, with the words it rests on.',
  order: 6,
  group: 'resumes',
  example: {
    jobDescription:
      'We look for a TypeScript engineer who knows PostgreSQL and Docker and likes to write tests.',
  },
  creation: { type: 'ats-score', label: 'ATS score' },
  input: resumeAndJobInput,
  files: resumeAndJobFiles,
  output: z.object({ content: atsResultSchema, ...engineShape, notice: fileNoticeSchema }),
  queue: 'pdf',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: (_, { resume }) => jobTitleFrom(`ATS score of ${resume ?? 'a resume'}`),
  successMessage: 'ATS Score Calculated',
  failureMessage: 'Failed to calculate ATS score',
});
