import { z } from 'zod';
import { defineTool, sizeClass } from '#libs/contract/define-tool.js';
import { manner } from '#libs/contract/brief.js';
import { engineShape } from '#libs/contract/engine.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { proofreadingSchema } from '#libs/contract/language-faults.js';

export const MOST_WORDS = 1000;
/** Also limits texts in languages without spaces between words, whose words are not counted. */
export const MOST_CHARACTERS = 20_000;

/** Counts words separated by white space. The form shows the same number. */
export const countWords = (text: string) => text.split(/\s+/u).filter(Boolean).length;

const { language: _language, pointOfView: _pointOfView, ...voice } = manner;

export const humanizeInputSchema = z.object({
  text: z
    .string({ error: 'Enter your text' })
    .trim()
    .min(1, 'Enter your text')
    .max(MOST_CHARACTERS, `Keep the text within ${MOST_CHARACTERS.toLocaleString('en-US')} characters`)
    .refine((text) => countWords(text) <= MOST_WORDS, `Text exceeds ${MOST_WORDS} word limit`)
    .meta({ description: `The text, in Markdown or plain, of at most ${MOST_WORDS} words.` }),
  ...voice,
});

const changeSchema = z.object({
  kind: z.enum(['phrase', 'contraction', 'sentence']).meta({
    description: 'A stock phrase replaced, a contraction made, or an over-long sentence divided.',
  }),
  before: z.string(),
  after: z.string().meta({ description: 'Empty where words were left out.' }),
  count: z.number().int().min(1),
});
export type Change = z.infer<typeof changeSchema>;

const factCountsSchema = z.object({
  numbers: z.number().int(),
  names: z.number().int(),
  links: z.number().int(),
  quotations: z.number().int(),
  code: z.number().int(),
});

export const humanizeOutputSchema = z.object({
  content: z.string().meta({ description: 'The rewritten text in Markdown.' }),
  ...engineShape,
  readability: z
    .object({ scale: z.literal('Flesch reading ease'), before: z.number(), after: z.number() })
    .nullable()
    .meta({ description: 'From 0 (hard to read) to 100 (easy). Null for a text that is not in English.' }),
  changes: z.array(changeSchema).meta({ description: 'Each change that this server made by rules.' }),
  facts: factCountsSchema.meta({
    description: 'How many facts of each kind the text has; all were compared and are still there.',
  }),
  proofreading: proofreadingSchema({
    line: z.number().int().meta({ description: 'Of the content, from 1.' }),
  }).meta({
    description: 'Faults of spelling and grammar in the rewritten text. Null where they were not checked.',
  }),
  notice: z.string().nullable().meta({ description: 'A notice about this result for the user.' }),
});

export type HumanizeOutput = z.output<typeof humanizeOutputSchema>;

export const humanizeText = defineTool({
  title: 'Text Humanizer',
  label: 'Humanize Text',
  tagline: 'Turns stiff text into sentences that a person would write.',
  description: 'Rewrites stiff text the way a person would put it, and keeps its facts.',
  order: 3,
  group: 'text',
  example: { text: 'It is important to note that printing has been revolutionized by technology.' },
  creation: { type: 'humanized-text', label: 'Humanized text', editable: true },
  input: humanizeInputSchema,
  output: humanizeOutputSchema,
  queue: 'text',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  size: ({ text }) => sizeClass(text.length),
  jobTitle: ({ text }) => jobTitleFrom(text),
  successMessage: 'Text humanized successfully',
  failureMessage: 'Failed to humanize text',
});
