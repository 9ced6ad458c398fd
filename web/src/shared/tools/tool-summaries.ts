import { tools, type ToolName } from '#libs/tools/catalogue.js';

const names = Object.keys(tools) as ToolName[];

/**
 * The texts, plan and cost of each tool, from its contract. The build replaces this module by its value (see
 * tool-summaries-plugin.ts), since most pages show them without loading the contracts and zod.
 */
export const toolSummaries = names.map((name) => {
  const { title, label, tagline, order, plan, credits, creation, successMessage, failureMessage } =
    tools[name];
  const { runsOnModels = false, files = {} } = tools[name];
  const fileFields = Object.keys(files);
  return {
    name,
    title,
    label,
    tagline,
    order,
    plan,
    credits,
    creation,
    successMessage,
    failureMessage,
    runsOnModels,
    fileFields,
  };
});
