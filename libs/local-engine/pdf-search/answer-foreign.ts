import {
  foreignNotices,
  foreignQuestion,
  type ForeignQuestion,
} from '#libs/local-engine/pdf-questions/foreign-question.js';
import { wordsOf } from '#libs/local-engine/pdf-questions/phrases.js';
import { isFrequentIn } from '#libs/local-engine/pdf-questions/question-language.js';
import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { excerptOf } from './excerpt.js';
import { nameOf, quoting, type OfflineAnswer } from './offline-answer.js';
import { joinText } from './passages.js';
import type { AskedQuestion } from './question.js';
import type { PassageIndex } from './search.js';

/** A shorter word that both languages have is mostly another word. */
const MIN_LETTERS = 4;

/**
 * Answers a question in another language than the document's: says so, and quotes the passage that shares a name or a
 * number with the question, if there is one. Null for a question in the document's language, or in an unknown one.
 */
export function answerForeign(index: PassageIndex, asked: AskedQuestion): OfflineAnswer | null {
  const pairs = foreignPairs(asked);
  const found = pairs.filter((pair) => pair !== null);
  const [foreign] = found;
  if (!foreign || found.length < pairs.length) return null;
  const languages = found.map(({ document }) => document);
  const notices = foreignNotices(foreign.question, languages, `The text of ${nameOf(asked)}`);
  const shared = wordsOf(asked.question).filter(({ text, start }, at) => {
    const isName = at > 0 && /^[\p{Lu}\p{N}]/u.test(asked.question.slice(start));
    if (!isName || (text.length < MIN_LETTERS && !/\d/.test(text)) || isFrequentIn(foreign.question, text))
      return false;
    const terms = index.terms.of(text);
    return terms.length > 0 && index.areTogether(terms, terms);
  });
  const words = [...new Set(shared.map(({ start, end }) => asked.question.slice(start, end)))];
  const best = words.length > 0 ? index.search(words.join(' ')).hits[0] : undefined;
  if (!best) return quoting(asked, notices[0]!, [], ...notices.slice(1));
  const wanted = new Set(index.terms.of(words.join(' ')));
  const quote = excerptOf(best.passage, best.passage.sentences, wanted, index, null).reduce(joinText, '');
  const list = new Intl.ListFormat('en-GB').format(words.map((word) => `“${escapeMarkdown(word)}”`));
  const before = `${notices.join('\n\n')}\n\nA passage with ${list}:`;
  return { ...quoting(asked, before, [{ page: best.passage.page, quote }]), isUncertain: true };
}

type QuestionAndPages = Pick<AskedQuestion, 'question' | 'pages' | 'starts'>;

/** The languages of a question and of the documents, if all documents are certainly in one other language; else null. */
export function languagesOf(asked: QuestionAndPages): ForeignQuestion | null {
  const found = foreignPairs(asked);
  const [first] = found;
  return first && found.every((pair) => pair?.document === first.document) ? first : null;
}

/** The languages of the question and of each document; null for a document that may be in the question's language. */
const foreignPairs = ({ question, pages, starts = [0] }: QuestionAndPages) =>
  starts.map((start, at) => foreignQuestion(question, pages.slice(start, starts[at + 1])));
