import { z } from 'zod';
import { fileKinds } from './limits.js';

const MAX_LINES = 60;
const MAX_LINE_CHARACTERS = 1_000;

const lineText = z
  .string({ error: 'Send each line as text.' })
  .trim()
  .min(1, 'A line is empty.')
  .max(
    MAX_LINE_CHARACTERS,
    `Keep each line within ${MAX_LINE_CHARACTERS.toLocaleString('en-US')} characters.`,
  );

const resumeLineSchema = z.object({
  source: lineText.meta({ description: 'Words of the line of the resume that is replaced.' }),
  text: lineText.meta({ description: 'The new text of the line.' }),
});
export type ResumeLineChange = z.infer<typeof resumeLineSchema>;

const WRONG_LINES = `Send the lines as a JSON array of 1 to ${MAX_LINES} objects with source and text.`;

export const replaceLinesRequest = {
  input: z.object({
    lines: z
      .string({ error: WRONG_LINES })
      .transform((json, context): unknown => {
        try {
          return JSON.parse(json);
        } catch {
          context.addIssue({ code: 'custom', message: WRONG_LINES });
          return z.NEVER;
        }
      })
      .pipe(
        z.array(resumeLineSchema, { error: WRONG_LINES }).min(1, WRONG_LINES).max(MAX_LINES, WRONG_LINES),
      ),
  }),
  files: {
    resume: { kind: 'resume', required: true, missing: 'Choose the resume as a Word document (.docx).' },
  },
} as const;

export const replaceLinesForm = z.object({
  lines: z.string().meta({
    description: `A JSON array of 1 to ${MAX_LINES} objects with \`source\`, words of a line, and \`text\`, its new text.`,
  }),
  resume: z.file().meta({ description: `A Word document (.docx) of at most ${fileKinds.resume.maxSize}.` }),
});

export const replacedLinesSchema = z.object({
  file: z.base64().meta({ description: 'The Word document (.docx).' }),
  replaced: z.array(resumeLineSchema).meta({ description: 'The whole lines that were replaced.' }),
  missing: z.array(z.string()).meta({ description: 'The sources that were not found in the document.' }),
});
export type ReplacedLines = z.infer<typeof replacedLinesSchema>;
