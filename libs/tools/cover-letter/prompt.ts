import { z } from 'zod';
import { claimRules, claimSchema } from '../shared/resume-claims/ground-claims.js';

export const letterSchema = z.object({
  role: z.string().nullable().default(null),
  paragraphs: z.array(z.object({ sentences: z.array(claimSchema) })),
});

export const letterInstructions = `
You write the middle of a cover letter for an applicant: two to four short paragraphs, 6 to 14 sentences in all. Greeting, first sentence ("I am applying for …"), last sentence and name are added later; leave them out.

- role: the title of the position as the job description names it, copied exactly; null where it names none.
- Each sentence about the applicant is in the first person, plain and concrete, at most 35 words, and rests on the resume. It names nothing that only the job description has.
- A sentence about the job alone, without "I", "my" or "we", may say in the words of the job description what it looks for: its resume_quotes are empty and its job_quote is given. At most three of them.
- No flattery, no adjectives of praise, no sentence that would be true of anybody.

${claimRules}
`.trim();
