import { z } from 'zod';
import { parseData } from '#libs/contract/parse-data.js';
import data from './phrases.json' with { type: 'json' };

/**
 * Stock phrases and their replacements, by kind. The left side is a phrase in lower case; `(a|b)` are alternatives, and "^"
 * is the start of a sentence. An empty right side deletes the phrase; choices divided by "/" alternate.
 */
export const phrases = Object.values(
  parseData('phrases.json', z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))), data),
).flat();

/** A replacement of a range, in UTF-16 code units. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Rule {
  pattern: RegExp;
  atStart: boolean;
  replacement: (matched: string, nth: number) => string;
}

const LETTER = String.raw`[\p{L}\p{N}'’\-]`;

const rules: Rule[] = phrases.map(([find, replace]) => {
  const atStart = find.startsWith('^');
  const source = find
    .replace(/^\^/, '')
    .replaceAll("'", "['’]")
    .replaceAll(' ', String.raw`\s+`)
    // Groups are non-capturing.
    .replace(/\((?!\?)/g, '(?:');
  const ends = find.endsWith(',') || find.includes('(?=') ? '' : `(?!${LETTER})`;
  return {
    pattern: new RegExp(String.raw`(?<!${LETTER}|[.@/_])${source}${ends}`, 'giu'),
    atStart,
    replacement: replacementOf(find, replace),
  };
});

/** Alternatives on both sides correspond by position: "(use|uses)" for "(utilize|utilizes)". */
function replacementOf(find: string, replace: string): Rule['replacement'] {
  const forms = /^(.*?)\(([^()]*)\)(.*)$/.exec(replace);
  if (!forms) {
    const choices = replace.split('/');
    return (_, nth) => choices[nth % choices.length] ?? '';
  }
  const [, before = '', list = '', after = ''] = forms;
  const found = /\(([^()?]*)\)/.exec(find)?.[1]?.split('|') ?? [];
  const instead = list.split('|');
  const byFound = new Map(found.map((word, index) => [word, instead[index] ?? '']));
  return (matched) => {
    const first = matched.toLowerCase().split(/\s+/)[0] ?? '';
    return `${before}${byFound.get(first) ?? instead[0] ?? ''}${after}`;
  };
}

/**
 * The replacements of stock phrases. A phrase with a capital letter within a sentence is a name and stays.
 * @param starts the offsets of sentences
 * @param used the number of uses of each rule, which makes its choices alternate over a whole text
 */
export function phraseEdits(text: string, starts: ReadonlySet<number>, used: Map<number, number>): Edit[] {
  const found: Edit[] = [];
  for (const [rule, { pattern, atStart, replacement }] of rules.entries()) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const startsSentence = starts.has(start);
      const matched = match[0];
      const isName = /\p{Lu}/u.test(matched.slice(1)) || (/^\p{Lu}/u.test(matched) && !startsSentence);
      if (matched === '' || isName || (atStart && !startsSentence)) continue;
      // "Foster Care Inc." is a name, "Furthermore, Google" is not.
      if (startsSentence && !/[\s,]/.test(matched) && /^\s+\p{Lu}/u.test(text.slice(start + matched.length)))
        continue;
      const nth = used.get(rule) ?? 0;
      const words = replacement(matched, nth);
      used.set(rule, nth + 1);
      const edit = fitReplacement(text, start, start + matched.length, words, startsSentence);
      if (edit) found.push(edit);
    }
  }
  return found;
}

/** Adjusts the replacement's capital letter and the article before it. */
function fitReplacement(
  text: string,
  start: number,
  end: number,
  words: string,
  startsSentence: boolean,
): Edit | null {
  if (words === '') return deletePhrase(text, start, end, startsSentence);
  const cased = startsSentence ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  const article = /(?<![\p{L}\p{N}'’-])(an?)\s+$/iu.exec(text.slice(0, start))?.[1];
  if (!article) return { start, end, text: cased };
  const needed = /^[aeiou]/i.test(cased) ? 'an' : 'a';
  if (article.toLowerCase() === needed) return { start, end, text: cased };
  const from = text.slice(0, start).lastIndexOf(article);
  return {
    start: from,
    end,
    text: `${article.charAt(0)}${needed.slice(1)}${text.slice(from + article.length, start)}${cased}`,
  };
}

/** Deletes a phrase with the space after it, and capitalises the next word; null if that is impossible. */
function deletePhrase(text: string, start: number, end: number, startsSentence: boolean): Edit | null {
  const rest = /^,?\s+/.exec(text.slice(end))?.[0] ?? '';
  const next = text.slice(end + rest.length);
  const following = /^\p{L}+/u.exec(next)?.[0];
  // No word follows that could start the sentence.
  if (!rest || !following) return null;
  const stop = end + rest.length;
  if (!startsSentence || !/^\p{Ll}+$/u.test(following)) return { start, end: stop, text: '' };
  return { start, end: stop + 1, text: next.charAt(0).toUpperCase() };
}

/** Edits in order. Of two that overlap, the first one remains, or the longer one if both start together. */
export function withoutOverlaps<E extends Edit>(edits: E[]): E[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const separate: E[] = [];
  for (const edit of sorted) if (edit.start >= (separate.at(-1)?.end ?? 0)) separate.push(edit);
  return separate;
}
