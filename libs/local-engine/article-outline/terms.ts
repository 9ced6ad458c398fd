import { shorten } from '#libs/contract/text.js';
import { plainText } from '#libs/local-engine/text/markdown-text.js';
import { stopWords } from '#libs/local-engine/text/stop-words.js';

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const MAX_TERMS = 8;
const TERM_LETTERS = 40;

/**
 * The key words and phrases of a text in any script: runs of words between stop words, ordered by frequency and then
 * by position.
 */
export function keyTerms(text: string): string[] {
  const found = new Map<string, { term: string; count: number; at: number }>();
  for (const [at, phrase] of phrasesOf(plainText(text)).entries()) {
    const key = phrase.toLowerCase();
    const entry = found.get(key);
    if (entry) entry.count += 1;
    else found.set(key, { term: phrase, count: 1, at });
  }
  return [...found.values()]
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, MAX_TERMS)
    .map(({ term }) => shorten(term, TERM_LETTERS));
}

function phrasesOf(text: string): string[] {
  const phrases: string[] = [];
  let run: string[] = [];
  const finish = () => {
    // A run of more than three words is a clause, not a phrase, so each of its words is a term.
    if (run.length > 0) phrases.push(...(run.length <= 3 ? [run.join(' ')] : run));
    run = [];
  };
  for (const { segment, isWordLike } of joinedWords(text)) {
    if (!isWordLike) {
      if (segment !== ' ') finish();
    } else if (isContentWord(segment)) {
      run.push(segment);
    } else {
      finish();
    }
  }
  finish();
  return phrases;
}

/** Splits a text into words; "C++", "Node.js" and "state-of-the-art" are one word each. */
function* joinedWords(text: string): Generator<{ segment: string; isWordLike: boolean }> {
  for (const part of text.split(/(\s+)/u)) {
    const word = part.replace(/^[^\p{L}\p{N}#@.]+|[^\p{L}\p{N}#+]+$/gu, '');
    if (/^\s*$/u.test(part)) {
      yield { segment: part && !part.includes('\n') ? ' ' : '\n', isWordLike: false };
    } else if (/^[\p{Script=Latin}\p{N}\p{M}#@.+&'’/_-]+$/u.test(word)) {
      if (!part.startsWith(word)) yield { segment: part.charAt(0), isWordLike: false };
      yield { segment: word, isWordLike: /[\p{L}\p{N}]/u.test(word) };
      if (!part.endsWith(word)) yield { segment: part.at(-1) ?? '', isWordLike: false };
    } else {
      for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
        part,
      )) {
        yield { segment, isWordLike: Boolean(isWordLike) };
        // In scripts without spaces, each word is a term of its own.
        if (unspaced.test(segment)) yield { segment: '', isWordLike: false };
      }
    }
  }
}

function isContentWord(word: string): boolean {
  // The acronyms "US" and "IT" are not the stop words "us" and "it".
  const isAcronym = /^[A-Z]{2,}$/.test(word);
  if (!isAcronym && stopWords.has(word.toLowerCase().replaceAll('’', "'"))) return false;
  // A single character can be a word in Chinese, but not in an alphabet. A number alone is not a term.
  return /\p{Script=Han}/u.test(word) || (word.length > 1 && /\p{L}/u.test(word));
}

/** Relevance of a sentence: the sum of the ranks of its terms. */
export function weigh(sentence: string, terms: string[]): number {
  const lower = sentence.toLowerCase();
  return terms.reduce(
    (sum, term, rank) => sum + (lower.includes(term.toLowerCase()) ? terms.length - rank : 0),
    0,
  );
}
