import { joinText, type Passage } from './passages.js';
import { embeddedSentence, type Meaning, type PassageIndex } from './search.js';

const QUOTE_CHARACTERS = 360;
/** Length of the excerpt when no sentence contains a word of the question. */
const WHOLE_PASSAGE_CHARACTERS = 700;
/** Weight of a sentence's words in choosing the excerpt, next to its closeness of at most 1. */
const WORDS_SHARE = 0.3;

/** A passage's sentences without the already quoted ones at its beginning and end. */
export function unquoted({ sentences }: Passage, used: ReadonlySet<string>): string[] {
  const isNew = (sentence: string) => !used.has(sentence);
  const first = sentences.findIndex(isNew);
  return first < 0 ? [] : sentences.slice(first, sentences.findLastIndex(isNew) + 1);
}

/** As many sentences as fit, around the one that matches the question best. */
export function excerptOf(
  passage: Passage,
  sentences: string[],
  wanted: ReadonlySet<string>,
  index: PassageIndex,
  meaning: Meaning | null,
): string[] {
  const words = sentences.map((sentence) =>
    [...new Set(index.terms.of(sentence))].reduce(
      (sum, term) => sum + (wanted.has(term) ? index.weight(term) : 0),
      0,
    ),
  );
  const mostWords = Math.max(0, ...words);
  const worth = sentences.map((sentence, at) => {
    const close = meaning?.closeness.get(embeddedSentence(passage, sentence)) ?? 0;
    return close + (WORDS_SHARE * (words[at] ?? 0)) / (mostWords || 1);
  });
  const most = Math.max(0, ...worth) > 0 ? QUOTE_CHARACTERS : WHOLE_PASSAGE_CHARACTERS;
  if (sentences.join(' ').length <= most) return sentences;
  let start = worth.indexOf(Math.max(...worth));
  let end = start + 1;
  const length = () => sentences.slice(start, end).join(' ').length;
  for (;;) {
    const [before, after] = [
      start > 0 ? (worth[start - 1] ?? 0) : -1,
      end < sentences.length ? (worth[end] ?? 0) : -1,
    ];
    if (before < 0 && after < 0) break;
    // The next sentence explains more often than the previous one.
    const goBack = before > after;
    if (goBack) start -= 1;
    else end += 1;
    if (length() <= most) continue;
    if (goBack) start += 1;
    else end -= 1;
    break;
  }
  return sentences.slice(start, end);
}

export function upTo(sentences: string[], characters: number): string {
  let text = sentences[0] ?? '';
  for (const sentence of sentences.slice(1)) {
    if (text.length + sentence.length > characters) break;
    text = joinText(text, sentence);
  }
  return text;
}

/** Consecutive passages share a sentence. */
export const dedupe = (sentences: string[]) =>
  sentences.filter((sentence, at) => sentence !== sentences[at - 1]);
