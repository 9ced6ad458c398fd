import { z } from 'zod';
import { count, jobErrorSchema, jobStatuses } from './jobs.js';
import { cursorSchema, limitSchema } from './pagination.js';

export const MAX_OPEN_FLOWS = 5;
/** Days that a flow stays open for a retry of its failed step. Then the steps that wait for it are refunded. */
export const FLOW_OPEN_DAYS = 7;
/** Minutes that a flow with uploaded files stays open for a retry. Then the files of its failed step are deleted. */
export const FLOW_WITH_FILES_OPEN_MINUTES = 45;

export const MIN_FLOW_STEPS = 2;

export interface FlowStepDefinition {
  tool: string;
  /** Tools whose result can be this step's input, in order of preference. If none was chosen, the step starts at once. */
  after: readonly string[];
  required?: true;
}

/** The available flows. A flow runs several tools, each as one step, which starts after the step that it needs. */
export const flowDefinitions = {
  article: [
    { tool: 'generate-blog-title', after: [] },
    { tool: 'generate-article', after: ['generate-blog-title'], required: true },
    { tool: 'humanize-text', after: ['generate-article'] },
    { tool: 'generate-image', after: ['generate-article'] },
  ],
  application: [
    { tool: 'calculate-ats-score', after: [] },
    { tool: 'resume-review', after: ['calculate-ats-score'] },
    { tool: 'tailored-bullets', after: ['resume-review', 'calculate-ats-score'] },
    { tool: 'cover-letter', after: ['tailored-bullets', 'resume-review', 'calculate-ats-score'] },
  ],
} as const satisfies Record<string, readonly FlowStepDefinition[]>;

export type FlowName = keyof typeof flowDefinitions;
export type FlowTool<F extends FlowName = FlowName> = (typeof flowDefinitions)[F][number]['tool'];

export const flowNames = Object.keys(flowDefinitions) as FlowName[];
export const isFlowName = (name: string): name is FlowName => Object.hasOwn(flowDefinitions, name);

export interface ChosenStep {
  /** Number of the step in its flow, from 1. */
  n: number;
  tool: FlowTool;
  /** Number of the step whose result is this step's input; null if it needs none. */
  needs: number | null;
}

/** The steps of a flow, restricted to the given tools. */
export function chosenSteps(flow: FlowName, tools: readonly string[]): ChosenStep[] {
  const definitions: readonly (FlowStepDefinition & { tool: FlowTool })[] = flowDefinitions[flow];
  const chosen = definitions.filter(({ tool }) => tools.includes(tool));
  const numberOf = (tool: string) => chosen.findIndex((step) => step.tool === tool) + 1;
  return chosen.map(({ tool, after }, index) => ({
    n: index + 1,
    tool,
    needs: after.map(numberOf).find((n) => n > 0) ?? null,
  }));
}

const flowStepStates = ['waiting', ...jobStatuses, 'left-out'] as const;

export const flowStepSchema = z
  .object({
    n: z.number().int().meta({ description: 'Its number in the flow, from 1.' }),
    tool: z.string(),
    needs: z.number().int().nullable().meta({ description: 'The number of the step whose result it needs.' }),
    state: z.enum(flowStepStates).meta({
      description:
        '`waiting` until the step that it needs has succeeded; then the state of its job. A step that is `left-out` was refunded.',
    }),
    jobId: z.uuid().nullable().meta({ description: 'Its latest job.' }),
    creationId: z.uuid().nullable(),
    credits: count.meta({ description: 'Credits charged; 0 after a refund.' }),
    note: z.string().nullable().meta({ description: 'The reason why it waits or was left out.' }),
    error: jobErrorSchema.nullable(),
  })
  .meta({ id: 'FlowStep' });
export type FlowStep = z.infer<typeof flowStepSchema>;

/** The longest title that a user may choose for an article, in characters. */
export const CHOSEN_TITLE_MAX = 300;
const CHOSEN_TITLE = `Choose a title, or write one of up to ${CHOSEN_TITLE_MAX} characters.`;
export const flowTitleSchema = z.object({
  title: z.string(CHOSEN_TITLE).trim().min(1, CHOSEN_TITLE).max(CHOSEN_TITLE_MAX, CHOSEN_TITLE),
});

export const flowSchema = z
  .object({
    id: z.uuid(),
    flow: z.string().meta({ description: 'The name of its definition.' }),
    title: z.string().meta({ description: 'A short text for lists.' }),
    status: z.enum(['open', 'stopped', 'ended', 'cancelled']).meta({
      description:
        '`open` while a step runs or is about to; `stopped` after one failed or was cancelled: a retry of its job continues the flow.',
    }),
    steps: z.array(flowStepSchema),
    awaitsTitleFrom: z.number().int().nullable().meta({
      description:
        'The number of the step out of whose titles the user has to choose one, by `PUT /api/flows/{id}/title`, before the next step starts; null if it waits for none.',
    }),
    credits: count.meta({ description: 'Credits charged for all steps; refunds are subtracted.' }),
    revision: count.meta({
      description: 'Grows with each change of the flow or of one of its jobs: the greater is the newer.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Flow' });
export type Flow = z.infer<typeof flowSchema>;

export const flowListQuerySchema = z.object({
  cursor: cursorSchema,
  limit: limitSchema(50),
});
export type FlowListQuery = z.infer<typeof flowListQuerySchema>;
