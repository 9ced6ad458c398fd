import { z } from 'zod';
import { claimRules, claimSchema } from '../shared/resume-claims/ground-claims.js';

export const bulletsSchema = z.object({ bullets: z.array(claimSchema) });

export const bulletsInstructions = `
You tailor the bullets of a resume to one job description, for the person who wrote the resume.

Write 5 to 12 bullets, the ones that answer most of what the job asks for first. Each:
- begins with what the person did, in the past tense, without "I", and is at most 30 words;
- says first what this job looks for, where the line of the resume has it;
- rests on one line of the resume, or on two lines of the same position.

${claimRules}
`.trim();
