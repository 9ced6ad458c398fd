import { part } from './part.js';
import { pattern } from '#libs/local-engine/text/pattern.js';

const pairs = [
  pattern`\b (?: differences?_between | compar(?:e|ing) | comparison_(?:of|between) | choos(?:e|ing)_between )_
    (.+?) _(?:and|with|to|or)_ (.+) $`,
  pattern`^ (?:is|are)_ (.+?) _(?:really_)?(?:better|worse|faster|cheaper|healthier|safer)_than_ (.+) $`,
  pattern`^ which_(?:one_)?is_better \s*[:,]?_ (.+?) _or_ (.+) $`,
];

const versus = pattern`_(?: vs\.? | versus | v\.s\. | compared_(?:to|with) )_`;

const name = String.raw`\p{L}[\p{L}\p{N}+#.-]*`;
const choice = pattern`^ (${name}(?:_${name})?) _or_ (${name}(?:_${name})?) $`;

/** Maximum length, in characters, of a compared thing's name that headings repeat. */
const LONGEST_NAME = 40;

export interface Sides {
  first: string;
  /** The compared things after the first, joined: "B", or "B and C". */
  others: string;
  all: string;
}

/** The things that a topic compares; null if the topic is not a comparison. */
export function readSides(text: string): Sides | null {
  const pair = [...pairs, choice].map((form) => form.exec(text)).find((match) => match !== null);
  const sides = pair && !versus.test(text) ? pair.slice(1) : text.split(versus);
  if (sides.length < 2) return null;
  const names = lowerFirstLikeRest(sides.map(trimSide)).map((side) => part(side, LONGEST_NAME));
  if (!names.every((side) => side !== null))
    return { first: 'the first', others: 'the second', all: 'the two' };
  const [first = '', ...others] = names;
  const join = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return { first, others: join.format(others), all: join.format(names) };
}

/** Removes a lead-in ("Which phone: A" → "A") and a context ("B for beginners" → "B"). */
function trimSide(side: string, index: number, { length }: string[]): string {
  let trimmed = side.trim();
  if (index === 0) {
    trimmed = trimmed
      .replace(/^.*[:,?]\s+(?=\S)/u, '')
      .replace(pattern`^(?:comparing|compare|(?:choosing_)?between)_`, '');
  }
  if (index === length - 1) {
    trimmed = trimmed.replace(
      pattern`(?<=\S) (?: \s*[:,?(–—] | \s-\s | _(?:for|in|when|which|what|who|as|on|at|from)_ ) .* $`,
      '',
    );
  }
  return trimmed.trim();
}

/** Lower-cases the first word if the others are lower case: "Tea or coffee" → "tea", "coffee". */
function lowerFirstLikeRest([first = '', ...others]: string[]): string[] {
  const isSentenceCase = others.every((side) => /^\p{Ll}/u.test(side));
  return [
    isSentenceCase ? first.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()) : first,
    ...others,
  ];
}
