/** Flows that a user may have going on at once. */
export const MAX_OPEN_FLOWS = 5;
/** Days after which what waits for a failed step of a flow is given back. */
export const FLOW_OPEN_DAYS = 7;
/** Minutes for a flow with a file, which is kept no longer than that of a failed job. */
export const FLOW_WITH_FILES_OPEN_MINUTES = 45;

/** A flow has at least as many steps. */
export const FEWEST_FLOW_STEPS = 2;

export interface FlowStepDefinition {
  tool: string;
  /** Its input is made from the result of the first of these that the flow has; without one it starts at once. */
  after: readonly string[];
  /** It cannot be left out. */
  required?: true;
}

/** The flows on offer: jobs of several tools as one run, each step after the one that it needs. */
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
  /** Its number in the flow, from 1. */
  n: number;
  tool: FlowTool;
  /** The number of the step that it needs; null for the first. */
  needs: number | null;
}

/** The steps of a flow with these tools, in their order. */
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
