import type { Creation } from '#libs/contract/creations.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { summaryOf } from '../../shared/tools/summary-of';

/** The tools whose form can be filled in from a prompt and its settings. */
type PromptTool =
  'generate-article' | 'generate-blog-title' | 'generate-image' | 'humanize-text' | 'rewrite-text';

/** The tool that can repeat a creation from its prompt; null if that needs more input. */
export function promptToolOf({ type, settings }: Pick<Creation, 'type' | 'settings'>): PromptTool | null {
  const makes = (tool: PromptTool) => summaryOf(tool).creation?.type === type;
  if (makes('generate-article')) return 'generate-article';
  if (makes('generate-blog-title')) return 'generate-blog-title';
  if (makes('humanize-text')) return 'humanize-text';
  if (makes('rewrite-text')) return 'rewrite-text';
  // Other image tools store no settings.
  return makes('generate-image') && settings !== null ? 'generate-image' : null;
}

/** The fields of the tool's form. Without the seed, the result differs. */
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

/** The tool that can repeat a creation from a resume, which its form asks for. */
const resumeTools = ['resume-review', 'calculate-ats-score', 'tailored-bullets', 'cover-letter'] as const;

export const resumeToolOf = ({ type }: Pick<Creation, 'type'>) =>
  resumeTools.find((tool) => summaryOf(tool).creation?.type === type) ?? null;

/** The navigation state for the form of a resume: the job description, if there was one. */
export function resumeFormOf({ settings }: Pick<Creation, 'settings'>) {
  const jobDescription = settings?.['jobDescription'];
  return { isRepeat: true, ...(jobDescription !== undefined && { fill: { jobDescription } }) };
}

const textTools: readonly PromptTool[] = ['humanize-text', 'rewrite-text'];

/** Whether a tool edits a text of the user instead of taking a prompt. */
export const takesText = (tool: PromptTool): boolean => textTools.includes(tool);

/** Whether the same input can give another result. The rules of the offline engine give the same text again. */
export const canVary = (tool: PromptTool, engine: string | undefined): boolean =>
  !takesText(tool) || engine === 'openai';

/** The image tools that take a creation with their current engine. */
export function toolsTaking(
  engineOf: (tool: ToolName) => string | undefined,
): readonly ('remove-image-background' | 'remove-image-object' | 'generate-image')[] {
  const editors = ['remove-image-background', 'remove-image-object'] as const;
  return engineOf('generate-image') === 'openai' ? [...editors, 'generate-image'] : editors;
}
