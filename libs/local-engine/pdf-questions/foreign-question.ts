import { languageName, languageOf } from '#libs/local-engine/text/language.js';
import notices from './foreign-question.json' with { type: 'json' };
import { languageOfQuestion } from './question-language.js';

/** The languages (ISO 639-1) of a question and of a document in another language. */
export interface ForeignQuestion {
  question: string;
  document: string;
}

/** Parts of a document whose language is detected, and their length. */
const SAMPLES = 3;
const SAMPLE_CHARACTERS = 1_000;
/** A sample with fewer letters, such as a table, is too short to detect its language. */
const MIN_LETTERS = 200;
/** Languages that are read by speakers of the others, and hard to tell apart. */
const ALIKE = [
  ['da', 'no', 'nb', 'nn', 'sv'],
  ['hr', 'sr', 'bs', 'sl'],
  ['es', 'gl', 'ca'],
  ['cs', 'sk'],
  ['ms', 'id'],
];

/** The languages if a question is certainly not in the language of the document; else null. */
export function foreignQuestion(question: string, pages: readonly string[]): ForeignQuestion | null {
  const asked = languageOfQuestion(question);
  if (asked === null) return null;
  const found = languagesOf(pages);
  const [document] = found;
  // A document in several languages may answer in each of them.
  if (document === undefined || new Set(found).size > 1) return null;
  const isAlike = ALIKE.some((group) => group.includes(asked) && group.includes(document));
  return asked === document || isAlike ? null : { question: asked, document };
}

/** The language of a document's text; null if it is unknown or not the same everywhere. */
export function languageOfDocument(pages: readonly string[]): string | null {
  const found = languagesOf(pages);
  return new Set(found).size === 1 ? found[0]! : null;
}

/** The languages of several parts of a document. */
function languagesOf(pages: readonly string[]): string[] {
  const texts = pages.filter((page) => page.length > 0);
  const places = Array.from({ length: SAMPLES }, (_, at) =>
    Math.floor((at * (texts.length - 1)) / (SAMPLES - 1)),
  );
  const samples = [...new Set(places)].map((at) => sampleOf(texts[at] ?? ''));
  const whole = sampleOf(texts.join('\n'));
  const enough = samples.filter((sample) => countLetters(sample) >= MIN_LETTERS);
  return (enough.length > 0 ? enough : countLetters(whole) >= MIN_LETTERS / 2 ? [whole] : [])
    .map((sample) => languageOf(sample))
    .filter((language) => language !== '');
}

const sampleOf = (text: string) => text.slice(0, SAMPLE_CHARACTERS);
const countLetters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

/**
 * Says that question and document, or all of several documents, are in different languages: in English, and in the language of
 * the question.
 * @param documents the languages of the documents
 */
export function foreignNotices(question: string, documents: readonly string[], name: string): string[] {
  const languages = [...new Set(documents)];
  const list = (type: 'conjunction' | 'disjunction', inLanguage: string) =>
    new Intl.ListFormat(inLanguage, { type }).format(languages.map((code) => languageName(code, inLanguage)));
  const whose = languages.length > 1 ? 'a' : 'the';
  const notice = `${name} is in ${list('conjunction', 'en-GB')}, and your question is in ${languageName(question)}. Without an AI service, this server finds answers only in the language of ${whose} document: ask in ${list('disjunction', 'en-GB')}.`;
  const own = (notices as Partial<Record<string, string>>)[question];
  if (!own) return [notice];
  const translated = own
    .replace('{document}', list('conjunction', question))
    .replace('{document}', list('disjunction', question))
    .replaceAll('{question}', languageName(question, question));
  return [notice, translated];
}
