import type { z } from 'zod';
import { generateArticle } from './generate-article/contract.js';

/** Every tool by the name of its row in the API: the first of the two lists a new tool is added to. */
export const tools = {
  'generate-article': generateArticle,
} as const;

export type ToolName = keyof typeof tools;
export type ToolInput<N extends ToolName> = z.infer<(typeof tools)[N]['input']>;
export type ToolOutput<N extends ToolName> = z.infer<(typeof tools)[N]['output']>;

export const toolNames = Object.keys(tools) as ToolName[];
export const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name);
