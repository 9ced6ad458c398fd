import type { ToolName } from '#libs/tools/catalogue.js';
import { toolSummaries } from './tool-summaries';

export type ToolSummary = (typeof toolSummaries)[number];

/** Finds the summary of a tool. @returns undefined for a tool of a newer or older server version */
export const findSummary = (tool: string): ToolSummary | undefined =>
  toolSummaries.find(({ name }) => name === tool);

export function summaryOf(tool: ToolName): ToolSummary {
  const summary = findSummary(tool);
  if (summary === undefined) throw new Error(`The catalogue has no tool ${tool}.`);
  return summary;
}
