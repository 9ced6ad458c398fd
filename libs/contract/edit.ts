import { z } from 'zod';
import { versionLabel } from './creation-versions.js';
import { isWithinMarkdownLimits } from './markdown-limits.js';
import { isStorable } from './validation.js';

/** The most characters of an edited text: twelve times the longest article that a user may ask for. */
export const CONTENT_MAX = 60_000;
const CONTENT = `Write between 1 and ${CONTENT_MAX.toLocaleString('en')} characters.`;

export const editSchema = z.object({
  content: z
    .string(CONTENT)
    .min(1, CONTENT)
    .max(CONTENT_MAX, CONTENT)
    .refine((text) => text.trim() !== '', CONTENT)
    .refine(isStorable, 'The text holds characters that are no text.')
    .refine(isWithinMarkdownLimits, 'The text has too many lines, brackets or marks. Split it into several.')
    .meta({ description: 'The whole text in Markdown.' }),
  session: z.uuid('Name the session of editing.').meta({
    description:
      'An id for each opened editor. Its first save makes a version, and its later ones change that version.',
  }),
  label: versionLabel.optional().meta({
    description:
      'What the version is called that the save makes; “Edited” without it. It is no name that keeps it.',
  }),
});
export type Edit = z.infer<typeof editSchema>;
