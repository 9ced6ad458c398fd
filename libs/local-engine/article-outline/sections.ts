import type { Shuffle } from '../random.js';
import type { Kind } from './kind.js';
import data from './outline.json' with { type: 'json' };

/** A section of an outline without its length. */
export interface SectionPlan {
  heading: string;
  /** The section's purpose, in one or two sentences. */
  cover: string;
  /** Questions that the section answers. */
  ask: string[];
  /** Facts that only the writer knows; each becomes a blank. */
  fill: string[];
  /** Relative length; default 1. */
  weight?: number;
  /** The shortest article that includes the section, in words; default 800. */
  from?: number;
}

/** The article forms of the outline. `{…}` in their texts is a property of the topic's `Kind`. */
interface ArticleForm {
  name: string;
  /** Checks before publishing. */
  checks: string[];
  /** Sections in reading order, some shared by several forms: six of 800 words or less, two more of 1200, two of 1600. */
  sections: (SectionPlan | { shared: string; weight?: number; from?: number })[];
}

export const forms: Record<Kind['form'], ArticleForm> = data.forms;
const shared: Record<string, SectionPlan> = data.shared;

/** A way to present any subject: advice for the whole article, and a question for each section after the opening. */
export type Angle = (typeof data.angles)[number];
export const { angles, termQuestions } = data;

/** A section with at least this weight is in every outline of its form. */
const CORE_WEIGHT = 1.3;

/**
 * The sections of a kind, in reading order: six for a short article, eight for a medium and ten for a long one. The
 * first is the opening and the last the ending. None states a fact.
 * @param shuffle chooses among the optional sections: all but the opening, the heaviest and the ending; default: the
 *   sections of the shortest articles
 */
export function sectionsFor(kind: Kind, length: 800 | 1200 | 1600, shuffle?: Shuffle): SectionPlan[] {
  const slots = slotsOf(kind, length);
  const fillSlots = (text: string) => text.replace(/\{(\w+)\}/g, (slot, name: string) => slots[name] ?? slot);
  const all = forms[kind.form].sections.map((section) => {
    const plan = 'shared' in section ? { ...shared[section.shared]!, ...section } : section;
    return {
      ...plan,
      heading: fillSlots(plan.heading),
      cover: fillSlots(plan.cover),
      ask: plan.ask.map(fillSlots),
      fill: plan.fill.map(fillSlots),
    };
  });
  const planned = all.filter(({ from = 800 }) => from <= length);
  if (!shuffle) return planned;
  const core = planned.filter(
    (section) => (section.weight ?? 1) >= CORE_WEIGHT || section === planned[0] || section === planned.at(-1),
  );
  const optional = shuffle(all.filter((section) => !core.includes(section)));
  const chosen = [...core, ...optional.slice(0, planned.length - core.length)];
  return all
    .filter((section) => chosen.includes(section))
    .map((section) => ({ ...section, ask: shuffle(section.ask) }));
}

function slotsOf(kind: Kind, length: 800 | 1200 | 1600): Partial<Record<string, string>> {
  if (kind.form !== 'list') return { ...kind };
  const count = kind.count ?? { 800: 5, 1200: 7, 1600: 10 }[length];
  const half = Math.ceil(count / 2);
  return {
    entries: kind.entries,
    count: `${count}`,
    firstHalf: numbers(1, half),
    secondHalf: numbers(half + 1, count),
  };
}

const numbers = (from: number, to: number) => (from === to ? `Number ${to}` : `Numbers ${from} to ${to}`);
