import { z } from 'zod';
import type { FileField } from '#libs/contract/define-tool.js';
import type { FieldError } from '#libs/contract/errors.js';
import {
  MIN_FLOW_STEPS,
  flowDefinitions,
  flowTitleSchema,
  type FlowName,
  type FlowStepDefinition,
  type FlowTool,
} from '#libs/contract/flows.js';
import { headingOf, plainLine } from '#libs/contract/markdown.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { resumeAndJobFiles, resumeAndJobInput } from '#libs/contract/resume-and-job.js';
import type { tools, ToolOutput } from './catalogue.js';
import { articleInputSchema, TOPIC_MAX_CHARACTERS } from './generate-article/contract.js';
import { KEYWORD_MAX_CHARACTERS } from './generate-blog-title/contract.js';

/** The results of the flow's finished steps, by tool. */
type Results<F extends FlowName> = { [T in FlowTool<F>]?: ToolOutput<T> };

interface FlowContract<F extends FlowName, Input extends z.ZodObject> {
  title: string;
  description: string;
  input: Input;
  /** The file fields. Each uploaded file is stored once and shared by all steps that take the field. */
  files?: Record<string, FileField>;
  /** Checks the fields for the chosen steps. Returns null if they are valid. */
  check?: (input: z.infer<Input>, steps: readonly string[]) => FieldError | null;
  /** A short title of a run, for lists. */
  titleOf: (input: z.infer<Input>, fileNames: Record<string, string>) => string;
  /** True if a step must not start before the user has chosen what it needs. */
  awaitsChoice?: (input: z.infer<Input>, tool: string) => boolean;
  /** For each step, builds its input from the flow's fields and earlier results, or gives the reason to skip the step. */
  inputs: {
    [T in FlowTool<F>]: (
      input: z.infer<Input>,
      results: Results<F>,
    ) => z.input<(typeof tools)[T]['input']> | { leftOut: string };
  };
}

const defineFlow =
  <F extends FlowName>() =>
  <Input extends z.ZodObject>(flow: FlowContract<F, Input>) =>
    flow;

/** In characters. A generated title replaces a topic up to this length; a longer topic is appended to the title. */
const SHORT_TOPIC = 80;
/** The size of an article's header image. */
const HEADER_SIZE = '1536x1024';

const article = defineFlow<'article'>()({
  title: 'Article, all steps',
  description:
    'Titles for a topic, the article under one of them, then its humanized text and a header image.',
  input: articleInputSchema.extend({
    chooseTitle: z.boolean('Send true to choose the title.').default(false).meta({
      description:
        'True if the flow waits, when the titles are there, until its user has chosen one. Otherwise, the first is taken.',
    }),
    title: flowTitleSchema.shape.title.optional().meta({ description: 'A title that is known already.' }),
  }),
  check: ({ length, chooseTitle }, steps) => {
    if (length > 800 && steps.includes('humanize-text'))
      return {
        field: 'length',
        message: 'Only an article of 800 words can be humanized: choose that length.',
      };
    return chooseTitle && !steps.includes('generate-blog-title')
      ? { field: 'chooseTitle', message: 'To choose a title, the flow needs generate-blog-title.' }
      : null;
  },
  awaitsChoice: ({ chooseTitle, title }, tool) =>
    tool === 'generate-article' && chooseTitle && title === undefined,
  titleOf: ({ prompt }) => jobTitleFrom(prompt),
  inputs: {
    'generate-blog-title': ({ tone, language, audience, avoid, rules, sample, prompt }) => ({
      ...{ tone, language, audience, avoid, rules, sample },
      prompt: prompt.slice(0, KEYWORD_MAX_CHARACTERS),
    }),
    'generate-article': (
      { chooseTitle: _, title: chosen, ...input },
      { 'generate-blog-title': suggested },
    ) => {
      const title = plainLine(chosen ?? suggested?.titles[0] ?? '');
      const { prompt } = input;
      if (title === '') return input;
      const topic = prompt.length <= SHORT_TOPIC ? title : `${title}\n\n${prompt}`;
      return { ...input, prompt: topic.slice(0, TOPIC_MAX_CHARACTERS) };
    },
    'humanize-text': ({ tone, audience, avoid, rules, sample }, { 'generate-article': written }) =>
      written?.engine === 'offline'
        ? { leftOut: 'An outline has no sentences to humanize yet: fill it in, then humanize it.' }
        : { tone, audience, avoid, rules, sample, text: written?.content ?? '' },
    'generate-image': ({ prompt }, { 'generate-article': written }) => ({
      prompt: headingOf(written?.content ?? '') ?? prompt,
      size: HEADER_SIZE,
    }),
  },
});

const application = defineFlow<'application'>()({
  title: 'Application, all steps',
  description:
    'Scores a resume against a job description, reviews it, tailors its bullets, then writes the cover letter.',
  input: resumeAndJobInput,
  files: resumeAndJobFiles,
  titleOf: (_, { resume }) => jobTitleFrom(`Application with ${resume ?? 'a resume'}`),
  inputs: {
    'calculate-ats-score': (input) => input,
    'resume-review': ({ language }) => ({ language }),
    'tailored-bullets': (input) => input,
    'cover-letter': (input) => input,
  },
});

const contracts = { article, application } satisfies { [F in FlowName]: unknown };

/** A flow without types for its fields and results. Callers must pass parsed fields and results of the same flow. */
export type Flow = Omit<
  FlowContract<FlowName, z.ZodObject>,
  'inputs' | 'check' | 'titleOf' | 'awaitsChoice'
> & {
  awaitsChoice?: (input: Record<string, unknown>, tool: string) => boolean;
  check?: (input: Record<string, unknown>, steps: readonly string[]) => FieldError | null;
  titleOf: (input: Record<string, unknown>, fileNames: Record<string, string>) => string;
  inputs: Record<string, (input: Record<string, unknown>, results: Record<string, unknown>) => object>;
};

export const flows = contracts as unknown as Record<FlowName, Flow>;

/** The request schema of `POST /api/flows/{name}`: the fields of the flow, and the chosen steps. */
export const flowInput = (name: FlowName) =>
  flows[name].input.extend({
    steps: z
      .string('Give the tools of the steps, separated by commas.')
      .optional()
      .meta({
        description: `The tools to run, separated by commas; by default all: ${flowDefinitions[name].map(({ tool }) => tool).join(', ')}.`,
      }),
  });

export const namedSteps = (name: FlowName, steps: string | undefined): string[] =>
  steps === undefined
    ? flowDefinitions[name].map(({ tool }) => tool)
    : steps.split(',').map((step) => step.trim());

/** The error of a flow's fields or chosen steps; null if they are valid. */
export function checkFlow(name: FlowName, input: Record<string, unknown>): FieldError | null {
  const { steps, ...fields } = input;
  const named = namedSteps(name, steps as string | undefined);
  const definitions: readonly FlowStepDefinition[] = flowDefinitions[name];
  const unknown = named.find((step) => !definitions.some(({ tool }) => tool === step));
  if (unknown !== undefined)
    return { field: 'steps', message: `Choose from ${definitions.map(({ tool }) => tool).join(', ')}.` };
  const missing = definitions.find(({ tool, required }) => required && !named.includes(tool));
  if (missing) return { field: 'steps', message: `This flow needs ${missing.tool}.` };
  if (new Set(named).size < MIN_FLOW_STEPS)
    return { field: 'steps', message: 'Choose at least two steps; one alone is a job of its tool.' };
  return flows[name].check?.(fields, named) ?? null;
}
