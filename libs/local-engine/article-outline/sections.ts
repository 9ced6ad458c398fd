import type { Shuffle } from '../random.js';
import type { Kind } from './kind.js';
import { announcement } from './forms/announcement.js';
import { comparison } from './forms/comparison.js';
import { explainer } from './forms/explainer.js';
import { general } from './forms/general.js';
import { howTo } from './forms/how-to.js';
import { list } from './forms/list.js';
import { opinion } from './forms/opinion.js';
import { question } from './forms/question.js';
import { story } from './forms/story.js';
import type { SectionPlan } from './forms/section.js';

export const formNames: Record<Kind['form'], string> = {
  'how-to': 'how-to guide',
  comparison: 'comparison',
  list: 'list article',
  question: 'answer to a question',
  explainer: 'explainer',
  opinion: 'opinion piece',
  story: 'story',
  announcement: 'announcement',
  general: 'overview',
};

/**
 * The sections of a kind, in reading order: six for a short article, eight for a medium and ten for a long one. The
 * first is the opening and the last the ending. None states a fact.
 * @param shuffle chooses among the sections that the article can do without: all but the opening, the weightiest and
 *   the ending; default: those of the shortest articles
 */
export function sectionsFor(kind: Kind, length: 800 | 1200 | 1600, shuffle?: Shuffle): SectionPlan[] {
  const all = allSections(kind, length);
  const planned = all.filter(({ from }) => from <= length);
  if (!shuffle) return planned;
  const core = planned.filter(
    (section) => section.weight >= CORE_WEIGHT || section === planned[0] || section === planned.at(-1),
  );
  const others = shuffle(all.filter((section) => !core.includes(section)));
  const chosen = [...core, ...others.slice(0, planned.length - core.length)];
  return all
    .filter((section) => chosen.includes(section))
    .map((section) => ({ ...section, ask: shuffle(section.ask) }));
}

/** Of a section that its form cannot do without. */
const CORE_WEIGHT = 1.3;

function allSections(kind: Kind, length: number): SectionPlan[] {
  switch (kind.form) {
    case 'how-to':
      return howTo(kind.task);
    case 'comparison':
      return comparison(kind);
    case 'list':
      return list(kind.things, kind.count ?? defaultCount(length), length);
    case 'question':
      return question(kind.question);
    case 'explainer':
      return explainer(kind.topic);
    case 'opinion':
      return opinion(kind.topic);
    case 'story':
      return story(kind.topic);
    case 'announcement':
      return announcement(kind.topic);
    case 'general':
      return general(kind.topic);
  }
}

const defaultCount = (length: number) => ({ 800: 5, 1200: 7 })[length] ?? 10;
