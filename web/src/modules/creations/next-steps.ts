import type { Creation } from '#libs/contract/creations.js';
import { headingOf, plainLine } from '#libs/contract/markdown.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { MAX_EXCLUDED_TITLES, TITLE_MAX_CHARACTERS } from '#libs/tools/generate-blog-title/contract.js';
import { countWords, MOST_CHARACTERS, MOST_WORDS } from '#libs/tools/humanize-text/contract.js';
import { resumeFormOf } from './reuse';

/** A tool that takes a creation as input, and the form fields that the link fills in. */
export interface NextStep {
  tool: ToolName;
  label: string;
  state: object;
}

type Finished = Pick<Creation, 'type' | 'prompt' | 'content' | 'engine' | 'revision' | 'settings'>;

/** Tools, with link labels, whose forms share the stored resume and job description. */
const resumeSteps = {
  'calculate-ats-score': 'Score it against a job',
  'resume-review': 'Review the resume',
  'tailored-bullets': 'Tailor its bullets',
  'cover-letter': 'Write a cover letter',
} as const;

const afterResume: Record<string, (keyof typeof resumeSteps)[]> = {
  'resume-review': ['calculate-ats-score', 'tailored-bullets', 'cover-letter'],
  'ats-score': ['resume-review', 'tailored-bullets', 'cover-letter'],
  'tailored-bullets': ['cover-letter'],
};

/** The possible next steps after a creation, most common first. */
export function nextStepsOf(creation: Finished): NextStep[] {
  const { type, prompt, content } = creation;
  if (type === 'article') {
    const head: NextStep = {
      tool: 'generate-image',
      label: 'Header image',
      state: { fill: { prompt: headingOf(content) ?? prompt, size: '1536x1024' } },
    };
    return canHumanize(creation)
      ? [head, { tool: 'humanize-text', label: 'Humanize it', state: { fill: { text: content } } }]
      : [head];
  }
  return (afterResume[type] ?? []).map((tool) => ({
    tool,
    label: resumeSteps[tool],
    state: resumeFormOf(creation),
  }));
}

/** True if humanize-text can take this text. An unedited offline result is an outline with blanks, so it can't. */
const canHumanize = ({ content, engine, revision }: Finished) =>
  (engine !== 'offline' || revision > 1) &&
  content.length <= MOST_CHARACTERS &&
  countWords(content) <= MOST_WORDS;

/** Titles from a Markdown list, each usable as the topic of an article. */
export const titlesOf = (content: string): string[] =>
  content.split('\n').flatMap((line) => {
    const title = plainLine(/^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+(\S.*)$/.exec(line)?.[1] ?? '');
    return title === '' ? [] : [title];
  });

/** Titles to pass as `exclude`, so that another run doesn't repeat them. */
export const titlesToExclude = (content: string): string[] =>
  titlesOf(content)
    .filter(({ length }) => length <= TITLE_MAX_CHARACTERS)
    .slice(0, MAX_EXCLUDED_TITLES);
