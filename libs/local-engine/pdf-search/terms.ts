import { stemmer } from 'stemmer';
import { deu, eng, fra, ita, jpn, nld, por, rus, spa, zho } from 'stopword';
import questionWords from './question-words.json' with { type: 'json' };

/** Stems of words that are frequent in questions and have little meaning. */
const weakTerms = new Set(questionWords.weak.map((word) => stemmer(word)));

export const isWeak = (term: string) => weakTerms.has(term);

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Stop words by language, with words of questions that an answer need not contain; only those of the text's language
 * are ignored. The embedding model cannot read Japanese and Chinese, so words decide there.
 */
const stopWords = [
  eng,
  deu,
  fra,
  spa,
  ita,
  por,
  nld,
  rus,
  [...jpn, ...questionWords.japanese],
  [...zho, ...questionWords.chinese],
].map((words) => new Set(words));
const english = new Set([...eng, ...questionWords.english]);

/** Extracts the terms of a text or a question, in the language of the text. */
export interface Terms {
  /** The terms in order: lower-case words without stop words; Latin ones are stemmed. */
  of(text: string): string[];
  /** Terms with their offsets. */
  at(text: string): { term: string; index: number }[];
}

/** @param sample a part of the text, to detect its language */
export function createTerms(sample: string): Terms {
  const stops = stopWordsOf(sample);
  const at = (text: string) => {
    const found: { term: string; index: number }[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(text.normalize('NFKC'))) {
      if (!isWordLike) continue;
      const word = segment.toLowerCase().replace(/’/g, "'").replace(/'s?$/, '');
      if (word === '' || stops.has(word) || (word.length === 1 && /[a-z]/.test(word))) continue;
      found.push({ term: termOf(word), index });
    }
    return found;
  };
  return { at, of: (text) => at(text).map(({ term }) => term) };
}

function termOf(word: string): string {
  const plain = word.normalize('NFD').replace(/\p{Mn}+/gu, '');
  // Thousands separators are ignored.
  if (/^[\d.,]+$/.test(plain)) return plain.replace(/[.,](?=\d{3}(?:\D|$))/g, '');
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : word.normalize('NFC');
}

function stopWordsOf(sample: string): ReadonlySet<string> {
  const words = Array.from(segmenter.segment(sample.slice(0, 20_000)), ({ segment }) =>
    segment.toLowerCase(),
  );
  const counts = stopWords.map((stops) => words.filter((word) => stops.has(word)).length);
  const best = counts.indexOf(Math.max(...counts));
  // A resume has few stop words of any language.
  const isClear = (counts[best] ?? 0) > (counts[0] ?? 0) + 1;
  return best === 0 || !isClear ? english : (stopWords[best] ?? english);
}
