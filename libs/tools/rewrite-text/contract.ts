import { z } from 'zod';
import { defineTool, sizeClass } from '#libs/contract/define-tool.js';
import { engineShape, type EngineName } from '#libs/contract/engine.js';
import { requiredText } from '#libs/contract/required-text.js';
import { jobTitleFrom } from '#libs/contract/text.js';

export const PASSAGE_MAX_CHARACTERS = 20_000;
export const INSTRUCTION_MAX_CHARACTERS = 500;
/** Maximum characters of context on each side of the passage. */
export const CONTEXT_MAX_CHARACTERS = 2_000;

export const rewriteActions = [
  'shorter',
  'longer',
  'simpler',
  'tone',
  'fix',
  'continue',
  'translate',
  'instruct',
] as const;
export type RewriteAction = (typeof rewriteActions)[number];

/** The actions that work without an AI service. */
const OWN_ACTIONS: readonly RewriteAction[] = ['shorter', 'simpler', 'fix'];

export const actionsOf = (engine: EngineName): readonly RewriteAction[] =>
  engine === 'offline' ? OWN_ACTIONS : rewriteActions;

export const tones = ['friendly', 'formal', 'confident', 'matter-of-fact', 'lively'] as const;

const NO_TEXT = 'Enter the text to rewrite.';
const NO_INSTRUCTION = 'Say what to do with the text.';
const NO_LANGUAGE = 'Name the language to translate into.';
const contextText = (where: string) =>
  z
    .string({ error: 'Send the context as text.' })
    .max(CONTEXT_MAX_CHARACTERS, `Keep the context within ${CONTEXT_MAX_CHARACTERS} characters a side.`)
    .optional()
    .meta({ description: `What stands ${where} the passage: it is read, and not rewritten.` });

export const rewriteInputSchema = z.object({
  text: requiredText(NO_TEXT, 'text', PASSAGE_MAX_CHARACTERS).meta({
    description: 'The passage, in Markdown or plain.',
  }),
  action: z.enum(rewriteActions, { error: 'Choose what to do with the text.' }).meta({
    description: `\`continue\` answers with what follows the passage, without it. This server’s own engine has ${OWN_ACTIONS.join(', ')}, for English; others end with ENGINE_CANNOT.`,
  }),
  tone: z.enum(tones, { error: 'Choose a tone.' }).optional().meta({ description: 'For the action `tone`.' }),
  language: z
    .string({ error: NO_LANGUAGE })
    .trim()
    .max(40, 'Name one language.')
    .optional()
    .meta({ description: 'By its English name, for the action `translate`.' }),
  instruction: z
    .string({ error: NO_INSTRUCTION })
    .trim()
    .max(INSTRUCTION_MAX_CHARACTERS, `Keep the instruction within ${INSTRUCTION_MAX_CHARACTERS} characters.`)
    .optional()
    .meta({ description: 'For the action `instruct`: what to do with the passage.' }),
  before: contextText('before'),
  after: contextText('after'),
  creation: z.uuid('Give the id of one of your creations.').optional().meta({
    description:
      'The id of the caller’s text that the passage is of. The result is then no creation of its own, and is deleted with that text. Accepting it is a save of the text.',
  }),
});

export const rewriteOutputSchema = z.object({
  content: z.string().meta({ description: 'The rewritten passage in Markdown, or what follows it.' }),
  ...engineShape,
  changedFacts: z
    .array(
      z.object({
        kind: z.enum(['number', 'name', 'link', 'quotation', 'code']),
        change: z.enum(['lost', 'added']),
        text: z.string(),
      }),
    )
    .meta({
      description: 'Facts of the passage that are not in the result, and facts that it did not have.',
    }),
  notice: z.string().nullable().meta({ description: 'A notice about this result for the user.' }),
});
export type ChangedFact = z.infer<typeof rewriteOutputSchema>['changedFacts'][number];

export const rewriteText = defineTool({
  title: 'Text Rewriter',
  label: 'Rewrite Text',
  tagline: 'Shorter, plainer, in another tone or language: a passage at a time.',
  description: 'Rewrites a passage of a text: shorter, longer, simpler, in another tone or language.',
  order: 4,
  group: 'text',
  example: { text: 'We print posters fast.', action: 'longer' },
  creation: { type: 'rewritten-text', label: 'Rewritten text', editable: true },
  input: rewriteInputSchema,
  output: rewriteOutputSchema,
  check: ({ action, tone, language, instruction }) => {
    if (action === 'tone' && tone === undefined) return { field: 'tone', message: 'Choose a tone.' };
    if (action === 'translate' && !language) return { field: 'language', message: NO_LANGUAGE };
    if (action === 'instruct' && !instruction) return { field: 'instruction', message: NO_INSTRUCTION };
    return null;
  },
  queue: 'text',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  size: ({ text }) => sizeClass(text.length),
  jobTitle: ({ text }) => jobTitleFrom(text),
  successMessage: 'Text rewritten',
  failureMessage: 'Failed to rewrite the text',
});
