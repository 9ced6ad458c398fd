import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { detectLanguage, languageName } from '#libs/local-engine/text/language.js';
import { foreignLanguages, phrasesOf, type ResumeLanguage } from './languages.js';

/** The language of a job description or resume. */
export interface DetectedLanguage {
  /** The language whose words are read; English for one that is not supported. */
  language: ResumeLanguage;
  /** The English name of a language that is not supported; null for a supported one. */
  unsupported: string | null;
}

const codes = ['en', ...foreignLanguages.keys()] as readonly ResumeLanguage[];
const functionWords = codes.map((code) => ({ code, words: new Set(phrasesOf(code).functionWords) }));

/** The language of a text is the language of its first part. */
const READ_CHARACTERS = 6_000;
/** Fewer words are a list of names, or a line. */
const MIN_WORDS = 8;
/** Sentences have a larger share of function words, lists of names have a smaller one. */
const MIN_SHARE = 0.04;
/** Texts in English have a larger share of words of the dictionary, texts in other languages a smaller one. */
const ENGLISH_SHARE = 0.6;

/** Detects the language by script, function words and n-grams. Lists of names count as English. */
export function detectResumeLanguage(text: string): DetectedLanguage {
  const plain = text.slice(0, READ_CHARACTERS).replace(/\S{0,100}(?:@|https?:|www\.)\S{0,300}/g, ' ');
  const detected = detectLanguage(plain);
  const letters = plain.match(/\p{L}/gu)?.length ?? 0;
  const latin = plain.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin < letters * 0.6) return { language: 'en', unsupported: languageName(detected.code) };
  const words = plain.toLowerCase().match(/\p{L}+/gu) ?? [];
  const votes = functionWords
    .map(({ code, words: own }) => ({
      code,
      share: words.filter((word) => own.has(word)).length / Math.max(1, words.length),
    }))
    .sort((a, b) => b.share - a.share);
  const elected = votes[0] && votes[0].share >= MIN_SHARE ? votes[0].code : 'en';
  const own = votes.find(({ code }) => code === detected.code);
  if (words.length < MIN_WORDS) return supported(own && own.share > 0 ? own.code : 'en');
  if (own) return supported(own.share >= MIN_SHARE && own.code !== 'en' ? own.code : elected);
  if (!detected.isReliable || isMostlyEnglish(plain)) return supported(elected);
  return { language: 'en', unsupported: languageName(detected.code) };
}

/** True for a text in English, and for a list of names. */
export function isEnglishResume(text: string): boolean {
  const { language, unsupported } = detectResumeLanguage(text);
  return language === 'en' && unsupported === null;
}

const supported = (language: ResumeLanguage): DetectedLanguage => ({ language, unsupported: null });

function isMostlyEnglish(text: string): boolean {
  const words = text.match(/(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu)?.slice(0, 300) ?? [];
  return words.filter((word) => isEnglishWord(word)).length >= words.length * ENGLISH_SHARE;
}
