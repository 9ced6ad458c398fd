import { tools, type ToolName } from '#libs/tools/catalogue.js';

const names = Object.keys(tools) as ToolName[];

/**
 * Texts and plan of each tool, from its contract. The build evaluates this module and replaces it by the result (see
 * tool-summaries-plugin.ts), so that pages don't load the contracts and zod.
 */
export const toolSummaries = names.map((name) => {
  const { title, label, tagline, order, partOf, plan, creation } = tools[name];
  const {
    successMessage,
    offlineSuccessMessage,
    failureMessage,
    runsOnModels = false,
    files = {},
  } = tools[name];
  const fileFields = Object.keys(files);
  return {
    name,
    title,
    label,
    tagline,
    order,
    partOf,
    plan,
    creation,
    successMessage,
    offlineSuccessMessage,
    failureMessage,
    runsOnModels,
    fileFields,
  };
});
