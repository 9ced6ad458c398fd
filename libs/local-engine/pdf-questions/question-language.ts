import { ces, dan, deu, eng, fin, fra, hun, ita, nld, nob, pol, por, ron, spa, swe, tur } from 'stopword';
import { languageOf } from '#libs/local-engine/text/language.js';
import { phrasesByLanguage, wordsOf } from './phrases.js';
import signs from './question-signs.json' with { type: 'json' };

const stopWords = {
  ...{ en: eng, de: deu, fr: fra, es: spa, it: ita, pt: por, nl: nld, pl: pol },
  ...{ sv: swe, da: dan, nb: nob, cs: ces, ro: ron, tr: tur, hu: hun, fi: fin },
};

/** Frequent words of each language in Latin letters, without accents. */
const frequentWords = new Map(
  Object.entries(stopWords).map(([language, words]) => {
    const phrases = phrasesByLanguage.find((each) => each.language === language);
    const frame = [...(phrases?.frame ?? [])].filter((word) => !phrases?.documents.has(word));
    const asking = wordsOf(signs.words[language as keyof typeof signs.words]).map(({ text }) => text);
    const stops = words.flatMap((word) => wordsOf(word).map(({ text }) => text));
    return [language, new Set([...stops, ...frame, ...asking])] as const;
  }),
);

/** Scripts that one language writes. Cyrillic, Arabic and Devanagari are left to the detector. */
const scripts: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Thai}/u, 'th'],
];

/** A frequent word that n languages share counts 1/n; a language is certain from this sum on… */
const MIN_SCORE = 1;
/** …if it is this many times as much as that of any other language. */
const MIN_LEAD = 1.6;
/** The least share of frequent words among words that are not names. */
const MIN_SHARE = 0.3;
/** From this many words on, the detector for running text must agree. */
const WORDS_TO_DETECT = 7;
/** Between languages that share their words, the detector decides from this many on. */
const MIN_TO_DETECT = 3;

/** The ISO 639-1 code of a question's language; null if its few words do not tell it with certainty. */
export function languageOfQuestion(question: string): string | null {
  const letters = question.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return null;
  const latin = question.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) {
    const script = scripts.find(([pattern]) => pattern.test(question))?.[1];
    return script ?? (languageOf(question) || null);
  }
  const words = wordsOf(question).filter(({ text, start }, at) => {
    const isName = at > 0 && /^\p{Lu}/u.test(question.slice(start));
    return !isName && !/\d/.test(text);
  });
  const scores = new Map<string, number>();
  let frequent = 0;
  for (const { text } of words) {
    const languages = [...frequentWords].flatMap(([language, set]) => (set.has(text) ? [language] : []));
    if (languages.length > 0) frequent += 1;
    for (const language of languages)
      scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const writtenIn = Object.entries(signs.letters).filter(([, rare]) => hasAny(question, rare));
  for (const [language] of writtenIn)
    scores.set(language, (scores.get(language) ?? 0) + 1 / writtenIn.length);
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  const best = ranked[0];
  if (!best || best[1] < MIN_SCORE || frequent < words.length * MIN_SHARE) return null;
  const candidates = ranked.filter(([, score]) => score * MIN_LEAD > best[1]).map(([language]) => language);
  if (candidates.length === 1 && words.length < WORDS_TO_DETECT) return best[0];
  const detected = words.length < MIN_TO_DETECT ? '' : languageOf(question);
  return candidates.includes(detected) ? detected : null;
}

const hasAny = (text: string, letters: string) => [...letters].some((letter) => text.includes(letter));

/** True if a word is frequent in a language, whatever it is about. */
export const isFrequentIn = (language: string, word: string): boolean =>
  frequentWords.get(language)?.has(word) ?? false;
