import { eld } from 'eld/extrasmall';
import { isEnglishWord } from './english-words.js';

/*
 * Modules of threads import this one: loading the detector takes 0.2 s of computing and 30 MB. It is the smallest of eld's: the
 * next one takes twice of both, and differs on texts of a few words only.
 */

/** The ISO 639-1 code of the language of a running text; blank if it is not recognised. Its first 1,000 characters count. */
export const languageOf = (text: string): string => eld.detect(text).language;

/** Like {@link languageOf}, and whether the detector is sure of it. */
export function detectLanguage(text: string): { code: string; isReliable: boolean } {
  const detected = eld.detect(text);
  return { code: detected.language, isReliable: detected.isReliable() };
}

/** The name of a language by its ISO 639-1 code, in English or another language. */
export const languageName = (code: string, inLanguage = 'en'): string =>
  code === ''
    ? 'an unknown language'
    : (new Intl.DisplayNames([inLanguage], { type: 'language' }).of(code) ?? code);

/** With fewer words, the detector is often wrong: "vegan recipes" is Spanish to it, "Kubernetes" Hungarian. */
const FEW_WORDS = 8;
/** The least share of a few words that the dictionary must have. */
const MIN_KNOWN_SHARE = 0.8;

/** True if a text is in English. A few words are judged by the dictionary, without names. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 <= letters) return false;
  const found = text.match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
  if (found.length >= FEW_WORDS) return languageOf(text) === 'en';
  const judged = found.filter((word, index) => index === 0 || !/^\p{Lu}/u.test(word));
  const known = judged.filter((word) => isEnglishWord(word.toLowerCase().replace('’', "'")));
  return known.length > 0 && known.length >= judged.length * MIN_KNOWN_SHARE;
}
