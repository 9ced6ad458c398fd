import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { shuffleFrom, type Shuffle } from '#libs/local-engine/random.js';
import type { ToolInput } from '#libs/tools/catalogue.js';
import type { TitleCategory } from '#libs/tools/generate-blog-title/contract.js';
import { formOf, type Keyword } from './keyword-form.js';
import { parseTitleRequest } from './parse-request.js';
import { byCategory, general, type Patterns } from './patterns.js';
import { withArticle } from './title-case.js';

/**
 * Twelve different titles. The keyword's form decides which patterns are grammatical, and the seed which of those are
 * taken: the same request and seed always give the same titles.
 */
export function suggestTitles(
  { prompt, category: chosen }: ToolInput<'generate-blog-title'>,
  seed: number | '' = '',
): string[] {
  const { keyword, category } = parseTitleRequest(prompt, chosen);
  const known = formOf(keyword);
  const shuffle = shuffleFrom(`${category}\n${keyword.toLowerCase()}${seed}`);
  const patterns = Object.entries(mixes[mixOf(known)]).flatMap(([kind, [own, others]]) =>
    pick(kind as Kind, own, others, category, shuffle, known.text),
  );
  return shuffle(patterns).map((pattern) => fill(pattern, known));
}

type Kind = keyof typeof general;

/** The twelve titles by the form of the keyword: of each kind some of the category's patterns, and some general ones. */
const mixes: Record<
  Exclude<Keyword['form'], 'quoted'> | 'comparison' | 'leftToRight' | 'rightToLeft',
  Partial<Record<Kind, [own: number, others: number]>>
> = {
  plural: { about: [4, 2], angle: [2, 2], counted: [0, 2] },
  mass: { about: [3, 2], angle: [2, 1], noun: [1, 1], counted: [0, 2] },
  name: { about: [4, 3], angle: [2, 2], noun: [1, 0] },
  massPhrase: { about: [4, 3], angle: [2, 2], counted: [0, 1] },
  count: { angle: [5, 4], single: [0, 3] },
  one: { angle: [3, 2], noun: [3, 1], one: [0, 3] },
  task: { task: [4, 4], angle: [2, 2] },
  question: { angle: [3, 0], answer: [0, 5], question: [0, 4] },
  label: { angle: [6, 6] },
  comparison: { comparison: [0, 12] },
  leftToRight: { about: [5, 4], angle: [1, 2] },
  // A title that starts with right-to-left text would display its English end first.
  rightToLeft: { about: [6, 6] },
};

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
  const isHard = HARDSHIP.test(keyword);
  const fits = (patterns: readonly string[]) =>
    patterns.filter((one) => !(isHard && PURSUIT.test(one)) && !repeats(one, keyword));
  const label = (patterns: string[]) =>
    kind === 'angle' || kind === 'answer' || kind === 'comparison'
      ? patterns.map((angle) => `{label} ${angle}`)
      : patterns;
  // The category General has only the general patterns.
  const preferred: Partial<Record<Kind, string[]>> & Partial<Patterns> =
    category === 'General' ? {} : byCategory[category];
  const first = shuffle(fits(preferred[kind] ?? [])).slice(0, own);
  return label([...first, ...shuffle(fits(general[kind])).slice(0, own + others - first.length)]);
}

/** Of something that nobody sets out to do or get. */
const HARDSHIP =
  /\b(?:grief|loss|death|dying|cancer|diabetes|pain|\p{L}*aches?|stress|anxiety|depression|burnout|anger|loneliness|fear|resistance|recession|inflation|divorce|abuse|violence|war|crime|addiction|disease|illness|syndrome|disorder|injur(?:y|ies)|trauma|fever|flu|asthma|allerg(?:y|ies)|infertility|menopause|miscarriage|suicide|bullying|debt|bankruptcy|racism|discrimination|poverty|hunger|unemployment|layoffs?|pollution|climate change|tantrums?|failure|mistakes?|breakup|dementia|obesity|insomnia|migraines?|infections?|virus|pandemic|stroke|attacks?|accidents?|fraud|scams?|theft|funeral|gluten|lag|heartbreak|widow\p{L}*|mourning)\b/iu;

/** "10 Mistakes in Sourdough: The Mistakes Almost Everybody Makes". */
const repeats = (pattern: string, keyword: string) =>
  (/^\d/.test(keyword) && /^\d/.test(pattern)) ||
  Array.from(
    pattern.matchAll(/\b(?:mistake|idea|checklist|guide|question|lesson|myth|fact|introduction)/gi),
  ).some(([word]) => keyword.toLowerCase().includes(word.toLowerCase()));

/** Patterns for what people choose, try or start. */
const PURSUIT =
  /Right for You|Get More Out|First Steps|Getting Started|Common Mistakes|Checklist|Plan(?:ning|ned)?\b|Ideas|Choos|Commit|Need|Joy|Make Time|Making Room|Rituals?|Month of|Living Well|Business Case|Make the Most|Budget|Investing?|Invest|Tools|Taste|Serve|Pantry|Recipes|Flavors|Menu|Kitchen|Homework|Trip|Pack|Journey|Secrets|Routine|Mood|Hype|Hands-On|Try\b|Simple Pleasures|Weekend|Before You Start|Setup|Customers|Can Teach You|Teaching|Lesson|Beginner|Almost Everybody/;

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
    // "Making Sense of the Future of Work".
    return at > 0 && /[\p{L},] $/u.test(pattern.slice(0, at)) ? value.replace(/^The (?=\S)/, 'the ') : value;
  });
}

function labelOf(form: Keyword['form'], text: string): string {
  if (form === 'task') return `How to ${text}:`;
  return form === 'question' ? `${text}?` : `${text}:`;
}
