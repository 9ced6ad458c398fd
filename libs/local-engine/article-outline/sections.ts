import type { Shuffle } from '../random.js';
import type { Kind } from './kind.js';
import data from './outline.json' with { type: 'json' };

/** A section of an outline without its length. */
export interface SectionPlan {
  heading: string;
  /** The section's purpose, in one or two sentences. */
  cover: string;
  /** Questions that the section should answer. */
  ask: string[];
  /** Facts that only the writer knows; the outline has a blank to fill in for each. */
  fill: string[];
  /** Relative length; default 1. */
  weight?: number;
  /** Minimum length of an article that includes the section, in words; default 800. */
  from?: number;
}

/** The outline template of one kind of article. `{name}` in its texts is a property of the topic's `Kind`. */
interface ArticleForm {
  name: string;
  /** Checks before publishing. */
  checks: string[];
  /** In reading order: six with `from` at most 800, two with 1200, two with 1600. `shared` names a common section. */
  sections: (SectionPlan | { shared: string; weight?: number; from?: number })[];
}

export const forms: Record<Kind['form'], ArticleForm> = data.forms;
const shared: Record<string, SectionPlan> = data.shared;

/** A way to present any subject: advice for the whole article, and a question for each section after the opening. */
export type Angle = (typeof data.angles)[number];
export const { angles, termQuestions } = data;

/** Sections with at least this weight are in every outline; the others may be replaced. */
const CORE_WEIGHT = 1.3;

/**
 * Chooses the sections of an article, in reading order: six for 800 words, eight for 1200 and ten for 1600. The first
 * section is the opening, the last the ending. No section states a fact.
 * @param shuffle chooses among the optional sections (not the opening, the ending, or those from `CORE_WEIGHT` on);
 *   default: the sections of the shortest articles
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
