import { tools, type ToolName } from '#libs/tools/catalogue.js';

const names = Object.keys(tools) as ToolName[];

/**
 * The texts and the plan of each tool, from its contract. The build replaces this module by its value (see
 * tool-summaries-plugin.ts), since the start page shows the texts without loading the contracts and zod.
 */
export const toolSummaries = names.map((name) => {
  const { title, label, tagline, order, plan, creation } = tools[name];
  return { name, title, label, tagline, order, plan, creation };
});
