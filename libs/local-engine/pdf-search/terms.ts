import { stemmer } from 'stemmer';
import { deu, eng, fra, ita, jpn, nld, por, rus, spa, zho } from 'stopword';

/** Frequent words of questions with little meaning. */
const WEAK_WORDS =
  `available big can come did difference different do done enough exactly exist far first get go good happen happens have
  high how kind know large long look make many may might much must need needed new number often one order other part people
  place possible question right should small something sort speak still take thing time together two type until use very way
  work year`.split(/\s+/);

const weakTerms = new Set(WEAK_WORDS.map((word) => stemmer(word)));

export const isWeak = (term: string) => weakTerms.has(term);

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words of questions that an answer need not have. */
const QUESTION_WORDS =
  `about according anything answer asked author called definition describe described document does explain explained
  file find following give given list mean means mention mentioned mentions name named page pages paper paragraph pdf
  please provide read report reported said say says section she her hers him he his show shown stated states talk tell text there're used
  when what's whats where who's whose whom why not per during once up down anyone somebody someone`.split(
    /\s+/,
  );

/** The same where the model for the search by meaning does not know the letters, so that words decide. */
const JAPANESE_QUESTION_WORDS =
  '何 誰 いつ どこ どの どれ なぜ どう いくら いくつ か ます です でし まし ません ありま すか あり って いい くだ さい り われ';
const CHINESE_QUESTION_WORDS =
  '什么 什么时候 谁 哪 哪里 哪儿 哪个 怎么 怎样 如何 为什么 多少 多 几 几天 吗 呢 有 是 可以 请 请问';

/** Stop words by language; only those of the text's language are ignored. */
const smallWords = [
  eng,
  deu,
  fra,
  spa,
  ita,
  por,
  nld,
  rus,
  [...jpn, ...JAPANESE_QUESTION_WORDS.split(' ')],
  [...zho, ...CHINESE_QUESTION_WORDS.split(' ')],
].map((words) => new Set(words));
const english = new Set([...eng, ...QUESTION_WORDS]);

/** Extracts the terms of a text or a question, in the language of the text. */
export interface Terms {
  /** The terms in order: lower-case words without stop words; Latin ones are stemmed. */
  of(text: string): string[];
  /** The same with the term's offsets. */
  at(text: string): { term: string; index: number }[];
}

/** @param sample a part of the text, to detect its language */
export function createTerms(sample: string): Terms {
  const small = smallWordsOf(sample);
  const at = (text: string) => {
    const found: { term: string; index: number }[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(text.normalize('NFKC'))) {
      if (!isWordLike) continue;
      const word = segment.toLowerCase().replace(/’/g, "'").replace(/'s?$/, '');
      if (word === '' || small.has(word) || (word.length === 1 && /[a-z]/.test(word))) continue;
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

function smallWordsOf(sample: string): ReadonlySet<string> {
  const words = Array.from(segmenter.segment(sample.slice(0, 20_000)), ({ segment }) =>
    segment.toLowerCase(),
  );
  const counts = smallWords.map((small) => words.filter((word) => small.has(word)).length);
  const best = counts.indexOf(Math.max(...counts));
  // A resume has few small words of any language.
  const isClear = (counts[best] ?? 0) > (counts[0] ?? 0) + 1;
  return best === 0 || !isClear ? english : (smallWords[best] ?? english);
}
