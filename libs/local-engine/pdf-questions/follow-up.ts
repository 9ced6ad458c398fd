import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import data from './follow-ups.json' with { type: 'json' };
import { withListedItem } from './listed-items.js';
import { phrasesByLanguage, wordsOf, type Phrases, type Word } from './phrases.js';
import { parseSubject } from './subject.js';

/** A question as it would be asked without the conversation before it. */
export interface StandaloneQuestion {
  /** The words to search for. */
  text: string;
  /** Words of earlier questions, which count less. */
  context: string;
  /** The question as a sentence, with the subject that it takes from an earlier one. */
  sentence: string;
}

/** What a document tells about words. */
export interface WordKnowledge {
  /** The number of words with a meaning. */
  countTerms(text: string): number;
  /** True if none of the words has a meaning without another question: "until when". */
  isBare(text: string): boolean;
  /** True if a passage has words of both texts. */
  areTogether(one: string, other: string): boolean;
}

/** A question with fewer terms is searched together with earlier questions. */
const FEW_TERMS = 2;
/** Earlier questions that may say what a question is about. */
const MAX_EARLIER = 6;

const CONTINUES = new RegExp(`^(?:${data.continues.join('|')})(?= |$)`, 'u');
const NOT_REFERRING = new RegExp(data.notReferring.join('|'), 'gu');
const REFERS_BACK = Object.entries(data.refersBack).map(
  ([language, source]) => [language, new RegExp(source, 'u')] as const,
);
const prepositions = new Map(
  Object.entries(data.prepositions).map(([language, words]) => [
    language,
    new Set(wordsOf(words).map(({ text }) => text)),
  ]),
);
/** "de" and "du" are one preposition: the number of its group. */
const contracted = new Map(
  data.contractions.flatMap((group, at) => wordsOf(group).map(({ text }) => [text, at] as const)),
);

/** Resolves what a follow-up question takes from the conversation: "And the deposit?", "the second one", "why?". */
export function toStandalone(
  question: string,
  history: readonly PdfChatMessage[],
  knowledge: WordKnowledge,
): StandaloneQuestion {
  const asked = history.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-MAX_EARLIER);
  let before: StandaloneQuestion | null = null;
  let answer = '';
  for (const at of asked) {
    before = resolve(history[at]!.content, before, answer, knowledge);
    answer = history.slice(at + 1).find(({ role }) => role === 'assistant')?.content ?? '';
  }
  return resolve(question, before, answer, knowledge);
}

function resolve(
  question: string,
  before: StandaloneQuestion | null,
  answer: string,
  knowledge: WordKnowledge,
): StandaloneQuestion {
  const alone = { text: searchedText(question), context: '', sentence: question };
  if (!before) return alone;
  const listed = withListedItem(question, answer);
  if (listed) return { text: listed.text, context: '', sentence: listed.text };
  const phrases = phrasesOf(`${question} ${before.sentence}`);
  const rest = continuation(question, phrases);
  if (rest !== null && knowledge.countTerms(rest) > 0) {
    const replaced = replaceSubject(before.sentence, rest, phrases, knowledge);
    return replaced
      ? { text: rest, context: replaced.kept, sentence: replaced.sentence }
      : { text: rest, context: before.text, sentence: `${before.sentence} ${question}` };
  }
  const isSubject = alone.text !== question && knowledge.countTerms(alone.text) > 0;
  const refers = refersBack(isSubject ? alone.text : question, phrases.language);
  if (!refers && (isSubject || knowledge.countTerms(question) >= FEW_TERMS)) return alone;
  const isIncomplete = knowledge.isBare(question) || CONTINUES.test(textOf(question));
  return {
    ...alone,
    context: `${before.context} ${before.text}`.trim(),
    sentence: isIncomplete ? `${before.sentence} ${question}` : question,
  };
}

/** The subject of a question about one; else the whole question. */
export function searchedText(question: string): string {
  const asked = parseSubject(question);
  return asked.about === 'subject' ? asked.subject : question;
}

const textOf = (question: string) =>
  wordsOf(question)
    .map(({ text }) => text)
    .join(' ');

const abstractOf = (words: readonly Word[], { documents }: Phrases) =>
  words.map(({ text }) => (documents.has(text) ? 'DOC' : text)).join(' ');

/** The words of the frame tell the language of a question with a few words. */
function phrasesOf(text: string): Phrases {
  const words = wordsOf(text);
  const known = ({ frame }: Phrases) => words.filter((word) => frame.has(word.text)).length;
  return phrasesByLanguage.reduce((best, each) => (known(each) > known(best) ? each : best));
}

function refersBack(text: string, language: string): boolean {
  const words = wordsOf(text);
  const referring = abstractOf(
    words,
    phrasesByLanguage.find((each) => each.language === language)!,
  );
  if (CONTINUES.test(referring)) return true;
  const plain = referring.replace(NOT_REFERRING, ' ');
  return REFERS_BACK.some(([each, pattern]) => (each === language || each === 'en') && pattern.test(plain));
}

/** What follows "and" or "what about", unless it is a question of its own: "the deposit", "for the landlord". */
function continuation(question: string, { questionWords }: Phrases): string | null {
  const words = wordsOf(question);
  const match = CONTINUES.exec(textOf(question));
  if (!match) return null;
  const count = wordsOf(match[0]).length;
  const [first, ...others] = words.slice(count);
  if (!first || others.length >= 8) return null;
  const isQuestion = questionWords.has(first.text) || data.verbs.includes(first.text);
  return isQuestion ? null : question.slice(first.start, words.at(-1)!.end);
}

/** A question with another subject: "How much is the rent?" and "the deposit". Null if it names no subject. */
function replaceSubject(
  sentence: string,
  rest: string,
  phrases: Phrases,
  knowledge: WordKnowledge,
): { sentence: string; kept: string } | null {
  const words = wordsOf(sentence);
  const of = prepositions.get(phrases.language)!;
  const first = wordsOf(rest)[0]!.text;
  // "a" is a preposition and an article in Portuguese.
  if (of.has(first) && !(first.length === 1 && phrases.determiners.has(first))) {
    const at = words.findLastIndex(
      ({ text }) =>
        text === first || (contracted.get(text) === contracted.get(first) && contracted.has(first)),
    );
    const end = at < 0 ? words.length : endOfPhrase(words, at + 1, of, phrases);
    return splice(sentence, words, at < 0 ? words.length : at, end, rest);
  }
  const subjects = words.flatMap((word, at) => {
    const isStart = phrases.determiners.has(word.text) && !phrases.determiners.has(words[at + 1]?.text ?? '');
    if (!isStart || at + 1 >= words.length) return [];
    const end = endOfPhrase(words, at + 1, of, phrases);
    return end > at + 1 ? [{ start: at, end }] : [];
  });
  const [head, last] = [subjects[0], subjects.at(-1)];
  if (!head || !last) return null;
  const headText = sentence.slice(words[head.start]!.start, words[head.end - 1]!.end);
  const replaced = head !== last && knowledge.areTogether(headText, rest) ? last : head;
  return splice(sentence, words, replaced.start, replaced.end, rest);
}

/** A phrase ends before a preposition or a word of the frame. */
function endOfPhrase(words: Word[], start: number, of: ReadonlySet<string>, phrases: Phrases): number {
  const ends = ({ text }: Word) =>
    of.has(text) ||
    (phrases.frame.has(text) && !phrases.documents.has(text) && !phrases.determiners.has(text));
  const end = words.findIndex((word, at) => at >= start && ends(word));
  return end < 0 ? words.length : end;
}

function splice(sentence: string, words: Word[], start: number, end: number, text: string) {
  const before = sentence.slice(0, words[start]?.start ?? words.at(-1)?.end ?? 0).trimEnd();
  const after = end < words.length ? ` ${sentence.slice(words[end]!.start)}` : '?';
  return { sentence: `${before} ${text}${after}`.trim(), kept: `${before}${after}`.replace('?', ' ').trim() };
}
