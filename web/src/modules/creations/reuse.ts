import type { Creation } from '#libs/contract/creations.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { summaryOf } from '../../shared/tools/summary-of';

/** The tools whose form a prompt and its settings fill in. */
type PromptTool =
  'generate-article' | 'generate-blog-title' | 'generate-image' | 'humanize-text' | 'rewrite-text';

/** The tool that makes another of a creation from its prompt; null where that takes more. */
export function promptToolOf({ type, settings }: Pick<Creation, 'type' | 'settings'>): PromptTool | null {
  const makes = (tool: PromptTool) => summaryOf(tool).creation?.type === type;
  if (makes('generate-article')) return 'generate-article';
  if (makes('generate-blog-title')) return 'generate-blog-title';
  if (makes('humanize-text')) return 'humanize-text';
  if (makes('rewrite-text')) return 'rewrite-text';
  // Other tools make images too, and keep no settings.
  return makes('generate-image') && settings !== null ? 'generate-image' : null;
}

/** The fields of its form, without the seed, so that another one is made. */
export function formOf({
  type,
  prompt,
  settings,
}: Pick<Creation, 'type' | 'prompt' | 'settings'>): Record<string, unknown> {
  const isText = textTools.some((tool) => summaryOf(tool).creation?.type === type);
  if (isText) return { text: prompt, ...settings };
  const { seed: _, ...others } = settings ?? {};
  return { prompt, ...others };
}

/** The tools that make another of a creation from a resume, for which their forms ask. */
const resumeTools = ['resume-review', 'calculate-ats-score', 'tailored-bullets', 'cover-letter'] as const;

export const resumeToolOf = ({ type }: Pick<Creation, 'type'>) =>
  resumeTools.find((tool) => summaryOf(tool).creation?.type === type) ?? null;

/** What a link brings to the form of a resume: the job that it was held against, where it was. */
export function resumeFormOf({ settings }: Pick<Creation, 'settings'>) {
  const jobDescription = settings?.['jobDescription'];
  return { again: true, ...(jobDescription !== undefined && { fill: { jobDescription } }) };
}

const textTools: readonly PromptTool[] = ['humanize-text', 'rewrite-text'];

/** Whether a tool works on a text that its user wrote, and not on a prompt. */
export const takesText = (tool: PromptTool): boolean => textTools.includes(tool);

/** Whether the same input can give another result: the rules of this server change a text in one way alone. */
export const givesAnother = (tool: PromptTool, engine: string | undefined): boolean =>
  !takesText(tool) || engine === 'openai';

/** The image tools that take a creation, as the engine of each can. */
export function toolsTaking(
  engineOf: (tool: ToolName) => string | undefined,
): readonly ('remove-image-background' | 'remove-image-object' | 'generate-image')[] {
  const editors = ['remove-image-background', 'remove-image-object'] as const;
  return engineOf('generate-image') === 'openai' ? [...editors, 'generate-image'] : editors;
}
