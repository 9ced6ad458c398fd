import { phrasesOf, type ResumeLanguage } from '#libs/local-engine/resume/languages/languages.js';
import { skills } from '#libs/local-engine/resume/skills/skills.js';
import data from './alternatives.json' with { type: 'json' };

/** Something asked for at a position of a clause. */
export interface Mention {
  name: string;
  start: number;
  end: number;
  /** Names of what implies it: of "Cloud platforms (AWS, Azure)" one is enough. */
  impliedBy: readonly string[];
}

/** A list with commas or "or". Its items are mentions, or groups of mentions between slashes. */
interface List<T> {
  items: T[][];
  hasOr: boolean;
}

/** Names that a slash lists, although both are meant: "HTML/CSS". */
const together = new Set(data.together.flatMap(([a, b]) => [`${a}/${b}`, `${b}/${a}`]));

const WINDOW = 60;

/**
 * Groups what a clause asks for: of a group, one is enough. "Java or Kotlin", "AWS/GCP/Azure", "such as Jira, Trello" and
 * "Figma, Sketch or similar" are groups; every other mention is its own.
 */
export function groupAlternatives<T extends Mention>(
  text: string,
  mentions: readonly T[],
  language: ResumeLanguage,
): T[][] {
  return listsOf(text, mentions, phrasesOf(language).or).flatMap((list) => {
    if (list.items.length < 2) return list.items;
    if (areExamples(text, list, mentions, language)) return [list.items.flat()];
    return list.hasOr ? splitByKind(list.items) : list.items;
  });
}

/** Of "TypeScript, React or Angular" only the last two are alternatives, because one general skill includes both. */
function splitByKind<T extends Mention>(items: T[][]): T[][] {
  const last = items.slice(-2).flat();
  const kind = skills.find(({ impliedBy }) => last.every(({ name }) => impliedBy.includes(name)));
  if (!kind) return [items.flat()];
  const from = items.findLastIndex((item) => !item.every(({ name }) => kind.impliedBy.includes(name))) + 1;
  return [...items.slice(0, from), items.slice(from).flat()];
}

function listsOf<T extends Mention>(text: string, mentions: readonly T[], or: RegExp): List<T>[] {
  const lists: List<T>[] = [];
  for (const [index, mention] of mentions.entries()) {
    const before = mentions[index - 1];
    const list = lists.at(-1);
    const between = before ? text.slice(before.end, mention.start) : '';
    const hasOr = or.test(between);
    if (before && list && /^\s*\/\s*$/.test(between) && !together.has(`${before.name}/${mention.name}`)) {
      list.items.at(-1)!.push(mention);
    } else if (before && list && isSeparator(between, or, list.hasOr)) {
      list.items.push([mention]);
      list.hasOr ||= hasOr;
    } else lists.push({ items: [[mention]], hasOr: false });
  }
  return lists;
}

/** True for a comma or "or", also after the level of a language. Mentions after "A, B or C," are another request. */
function isSeparator(between: string, or: RegExp, hasOr: boolean): boolean {
  const rest = between.replace(or, '').replace(/[\s,()]|\b(?:in|with|an?|the|[abc][12])\b/gi, '');
  return rest === '' && (or.test(between) || (!hasOr && /^\s*,\s*$/.test(between)));
}

/** True for "such as A, B", "A, B or similar" and "Cloud platforms (A, B)". A list that ends with "and" asks for all. */
function areExamples<T extends Mention>(
  text: string,
  { items }: List<T>,
  mentions: readonly T[],
  language: ResumeLanguage,
): boolean {
  const { and, examples, orSimilar } = phrasesOf(language);
  const first = items[0]![0]!;
  const last = items.at(-1)!.at(-1)!;
  const before = text.slice(Math.max(0, first.start - WINDOW), first.start).replace(/[\s:(]+$/, '');
  const after = text.slice(last.end, last.end + WINDOW).replace(/^[\s,]+/, '');
  if (isAtStart(after, and)) return false;
  if (isAtStart(after, orSimilar) || isAtEnd(before, examples)) return true;
  const general = mentions[mentions.indexOf(first) - 1];
  return (
    general !== undefined &&
    /^\W*\(\s*$/.test(text.slice(general.end, first.start)) &&
    items.flat().some(({ name }) => general.impliedBy.includes(name))
  );
}

const isAtStart = (text: string, pattern: RegExp) => pattern.exec(text)?.index === 0;

function isAtEnd(text: string, pattern: RegExp): boolean {
  const found = Array.from(text.matchAll(new RegExp(pattern.source, 'giu'))).at(-1);
  return found !== undefined && found.index + found[0].length === text.length;
}
