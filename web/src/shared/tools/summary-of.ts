import type { ToolName } from '#libs/tools/catalogue.js';
import { toolSummaries } from './tool-summaries';

export type ToolSummary = (typeof toolSummaries)[number];

/** Undefined for a tool that this build does not know. */
export const findSummary = (tool: string): ToolSummary | undefined =>
  toolSummaries.find(({ name }) => name === tool);

export function summaryOf(tool: ToolName): ToolSummary {
  const summary = findSummary(tool);
  if (summary === undefined) throw new Error(`The catalogue has no tool ${tool}.`);
  return summary;
}
