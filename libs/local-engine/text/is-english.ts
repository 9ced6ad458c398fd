import { isEnglishWord } from './english-words.js';
import words from './is-english.json' with { type: 'json' };

const english = new Set(words.english);
const foreign = new Set(words.foreign);

/** With fewer words, a text may have no function words. */
const FEW_WORDS = 8;
/** The least share of a few words that the dictionary must have. */
const MIN_KNOWN_SHARE = 0.8;

/** Whether a text is in English, judged by its function words; a few words by the dictionary. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const words = text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
  const count = (set: Set<string>) => words.filter((word) => set.has(word)).length;
  const own = count(english);
  if (latin * 2 <= letters) return false;
  const others = count(foreign);
  if (own > 0 || others > 0 || words.length >= FEW_WORDS) return own >= words.length * 0.08 && own > others;
  const known = words.filter((word) => isEnglishWord(word.replace('’', "'")));
  return known.length > 0 && known.length >= words.length * MIN_KNOWN_SHARE;
}
