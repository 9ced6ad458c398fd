import contractions from './contractions.json' with { type: 'json' };
import type { Edit } from './phrase-edits.js';

/** After these words a verb at the end of its clause is not contracted: "It is what it is". */
const opensGap =
  /(?<![\p{L}\p{N}'’])(?:than|as|what|whatever|where|wherever|how|however|whoever|whichever)\s+(?:\p{L}+\s+){0,3}$/iu;

/**
 * "I", "we" and "they" are always the subject; other pronouns only at the start of a clause: "The end of it is near",
 * "the man who saw it is here".
 */
const startsClause =
  /(?:^|[.!?…:;,–—()"“”]\s*|(?<![\p{L}'’])(?:and|but|so|or|because|if|when|while|since|although|though|until|unless|that|today|now|then|perhaps|maybe)\s+)$/iu;

const LEFT = String.raw`(?<![\p{L}\p{N}'’\-.@/_])`;
const RIGHT = String.raw`(?![\p{L}\p{N}'’\-_])`;
/** The next word allows a contraction before it. */
const CONTINUES = String.raw`(?=\s+[“"]?(?!(?:or|and|but|not|because|if|when|to\s+say)\b)\p{L})`;

const { negations, verbs, haveBeen } = contractions;

const alternatives = (forms: Record<string, string>) =>
  Object.keys(forms)
    .map((form) => form.replaceAll(' ', String.raw`\s+`))
    .join('|');

const all = { ...negations, ...verbs, ...haveBeen };
const byWords = new Map(Object.entries(all).map(([words, short]) => [words.toLowerCase(), short]));
const negative = new RegExp(`${LEFT}(?:${alternatives(negations)})${RIGHT}`, 'giu');
const positive = new RegExp(
  `${LEFT}(?:(?:${alternatives(verbs)})${RIGHT}${CONTINUES}|(?:${alternatives(haveBeen)})${RIGHT})`,
  'giu',
);

/** The contractions of a text; words in capitals stay. @param curly true if the text has apostrophes such as ’ */
export function contractionEdits(text: string, curly: boolean): Edit[] {
  const matches = [
    ...text.matchAll(negative),
    ...[...text.matchAll(positive)].filter((match) => {
      const before = text.slice(0, match.index);
      return !opensGap.test(before) && (/^(?:I|we|they)\b/i.test(match[0]) || startsClause.test(before));
    }),
  ];
  return matches.flatMap((match) => {
    const words = match[0];
    const short = byWords.get(words.toLowerCase().replace(/\s+/gu, ' '));
    const first = words.charAt(0);
    // Only the first letter may be a capital.
    if (!short || /\p{Lu}/u.test(words.slice(1))) return [];
    const cased = /\p{Lu}/u.test(first) ? short.charAt(0).toUpperCase() + short.slice(1) : short;
    return [
      { start: match.index, end: match.index + words.length, text: curly ? cased.replace("'", '’') : cased },
    ];
  });
}
