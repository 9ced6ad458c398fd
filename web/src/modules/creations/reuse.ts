import type { Creation } from '#libs/contract/creations.js';
import { summaryOf } from '../../shared/tools/summary-of';

/** Tools whose form can be filled in from a creation's prompt and settings. */
type PromptTool =
  'generate-article' | 'generate-blog-title' | 'generate-image' | 'humanize-text' | 'rewrite-text';

/** The tool that can repeat a creation from its prompt; null if other input is needed. */
export function promptToolOf({ type, settings }: Pick<Creation, 'type' | 'settings'>): PromptTool | null {
  const makes = (tool: PromptTool) => summaryOf(tool).creation?.type === type;
  if (makes('generate-article')) return 'generate-article';
  if (makes('generate-blog-title')) return 'generate-blog-title';
  if (makes('humanize-text')) return 'humanize-text';
  if (makes('rewrite-text')) return 'rewrite-text';
  // Images without settings come from other image tools.
  return makes('generate-image') && settings !== null ? 'generate-image' : null;
}

/** Form fields to repeat a creation. Omits the seed, since the same seed would give the same image. */
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

/** Tools that can repeat a creation only with the resume, which the user may have to choose again. */
const resumeTools = ['resume-review', 'calculate-ats-score', 'tailored-bullets', 'cover-letter'] as const;

export const resumeToolOf = ({ type }: Pick<Creation, 'type'>) =>
  resumeTools.find((tool) => summaryOf(tool).creation?.type === type) ?? null;

/** Navigation state for a link to a resume tool's form; fills in the job description, if there was one. */
export function resumeFormOf({ settings }: Pick<Creation, 'settings'>) {
  const jobDescription = settings?.['jobDescription'];
  return { isRepeat: true, ...(jobDescription !== undefined && { fill: { jobDescription } }) };
}

const textTools: readonly PromptTool[] = ['humanize-text', 'rewrite-text'];

/** True if the tool edits a text of the user instead of taking a prompt. */
export const takesText = (tool: PromptTool): boolean => textTools.includes(tool);

/** True if the same input can give another result. The offline engine edits texts by fixed rules, so it can't. */
export const canVary = (tool: PromptTool, engine: string | undefined): boolean =>
  !takesText(tool) || engine === 'openai';

/** Image tools that can take an image creation as input. */
export function toolsTaking(
  changesImages: boolean,
): readonly ('remove-image-background' | 'remove-image-object' | 'generate-image')[] {
  const editors = ['remove-image-background', 'remove-image-object'] as const;
  return changesImages ? [...editors, 'generate-image'] : editors;
}
