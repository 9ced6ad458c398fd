import type { Resume, ResumeLine } from '#libs/local-engine/resume/resume.js';
import { shorten } from '#libs/contract/text.js';
import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';

export interface Finding {
  /** `note` is neither good nor bad. */
  verdict: 'good' | 'improve' | 'note';
  text: string;
  /** The lines that the text refers to. */
  places?: readonly ResumeLine[];
}

export interface CheckGroup {
  title: string;
  findings: Finding[];
}

/** The input of a check; dates are compared with `now`. */
export interface Checked {
  resume: Resume;
  now: Date;
}

export interface CheckInput extends Checked {
  /** True if the resume is in English. */
  isEnglish: boolean;
}

const finding =
  (verdict: Finding['verdict']) =>
  (text: string, places?: readonly ResumeLine[]): Finding => ({ verdict, text, places });
export const good = finding('good');
export const improve = finding('improve');
export const note = finding('note');

/** A finding about lines; none without any. */
export const improveIf = (places: readonly ResumeLine[], text: string): Finding[] =>
  places.length > 0 ? [improve(text, places)] : [];

const MOST_PLACES = 4;
const QUOTE_LETTERS = 110;

export function renderGroup({ title, findings }: CheckGroup): string {
  return `## ${title}\n\n${findings.map(renderFinding).join('\n')}`;
}

const marks = { good: '**Good.**', improve: '**To improve.**', note: '**Note.**' } as const;

function renderFinding({ verdict, text, places = [] }: Finding): string {
  const shown = places.slice(0, MOST_PLACES).map((place) => `  - ${renderPlace(place)}`);
  const more = places.length > MOST_PLACES ? [`  - and ${places.length - MOST_PLACES} more`] : [];
  return [`- ${marks[verdict]} ${text}`, ...shown, ...more].join('\n');
}

const renderPlace = ({ page, line, text }: ResumeLine) =>
  `Page ${page}, line ${line}: “${escapeMarkdown(shorten(oneLine(text), QUOTE_LETTERS))}”`;

/** "1 line", "2 lines". */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
