import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { shuffleFrom, type Shuffle } from '#libs/local-engine/random.js';
import type { TitleCategory, TitlesInput } from '#libs/tools/generate-blog-title/contract.js';
import { formOf, type Keyword } from './keyword-form.js';
import data from './mixes.json' with { type: 'json' };
import { parseTitleRequest } from './parse-request.js';
import { patterns, type GeneralPatterns } from './patterns.js';
import { withArticle } from './title-case.js';
import words from './words.json' with { type: 'json' };

/**
 * Suggests twelve different titles. The keyword's form decides which patterns are grammatical, and the seed chooses
 * among them, so the same request and seed always give the same titles.
 */
export function suggestTitles({ prompt, category: chosen }: TitlesInput, seed: number | '' = ''): string[] {
  const { keyword, category } = parseTitleRequest(prompt, chosen);
  const formed = formOf(keyword);
  const shuffle = shuffleFrom(`${category}\n${keyword.toLowerCase()}${seed}`);
  const chosenPatterns = Object.entries(mixes[mixOf(formed)]).flatMap(([kind, [own = 0, others = 0]]) =>
    pick(kind as Kind, own, others, category, shuffle, formed.text),
  );
  return shuffle(chosenPatterns).map((pattern) => fill(pattern, formed));
}

type Kind = keyof GeneralPatterns;

/**
 * For each keyword form and kind of pattern: the number of titles from the category's patterns and from the general ones.
 * Right-to-left forms have no pattern that starts with the keyword: such a title would display its English end first.
 */
const mixes: Record<keyof typeof data, Partial<Record<Kind, number[]>>> = data;

function mixOf(keyword: Keyword): keyof typeof mixes {
  if (keyword.form === 'label' && /\S (?:vs?\.?|versus) \S/i.test(keyword.text)) return 'comparison';
  if (keyword.form !== 'quoted') return keyword.form;
  return keyword.rightToLeft ? 'rightToLeft' : 'leftToRight';
}

function pick(
  kind: Kind,
  own: number,
  others: number,
  category: TitleCategory,
  shuffle: Shuffle,
  keyword: string,
): string[] {
  const isHardship = HARDSHIP.test(keyword);
  const fits = (all: readonly string[]) =>
    all.filter((pattern) => !(isHardship && PURSUIT.test(pattern)) && !repeats(pattern, keyword));
  const label = (chosen: string[]) =>
    kind === 'angle' || kind === 'answer' || kind === 'comparison'
      ? chosen.map((angle) => `{label} ${angle}`)
      : chosen;
  const ofCategory: Partial<GeneralPatterns> = category === 'General' ? {} : patterns[category];
  const first = shuffle(fits(ofCategory[kind] ?? [])).slice(0, own);
  return label([...first, ...shuffle(fits(patterns.General[kind])).slice(0, own + others - first.length)]);
}

/** Matches keywords for unwanted things, such as an illness. */
const HARDSHIP = new RegExp(String.raw`\b(?:${words.hardships.join('|')})\b`, 'iu');
/** Matches patterns that fit only things to choose, try or start. */
const PURSUIT = new RegExp(words.pursuits.join('|'));

/** True if the title would repeat a word: "10 Mistakes in Sourdough: The Mistakes …". */
const repeats = (pattern: string, keyword: string) =>
  (/^\d/.test(keyword) && /^\d/.test(pattern)) ||
  Array.from(
    pattern.matchAll(/\b(?:mistake|idea|checklist|guide|question|lesson|myth|fact|introduction)/gi),
  ).some(([word]) => keyword.toLowerCase().includes(word.toLowerCase()));

function fill(pattern: string, keyword: Keyword): string {
  const inner = escapeMarkdown(keyword.text);
  const text = keyword.form === 'quoted' ? `“${inner.replaceAll('“', '‘').replaceAll('”', '’')}”` : inner;
  const withOne = withArticle(text);
  const plural = keyword.form === 'plural';
  const values: Record<string, string> = {
    '{}': text,
    '{a}': withOne,
    '{A}': `A${withOne.slice(1)}`,
    '{s}': plural ? '' : 's',
    '{is}': plural ? 'Are' : 'Is',
    '{label}': labelOf(keyword.form, text),
  };
  return pattern.replace(/\{\w*\}/g, (slot, at: number) => {
    const value = values[slot] ?? slot;
    // Inside a title, "The" is lower case: "Making Sense of the Future of Work".
    return at > 0 && /[\p{L},] $/u.test(pattern.slice(0, at)) ? value.replace(/^The (?=\S)/, 'the ') : value;
  });
}

function labelOf(form: Keyword['form'], text: string): string {
  if (form === 'task') return `How to ${text}:`;
  return form === 'question' ? `${text}?` : `${text}:`;
}
