import type { Citation } from '#libs/contract/pdf-chats.js';
import { parseContactQuestion } from '#libs/local-engine/pdf-questions/contact.js';
import { asksForPrice, namesPrice } from '#libs/local-engine/pdf-questions/price.js';
import { answerFact } from './answer-facts.js';
import { answerForeign } from './answer-foreign.js';
import { noSuchPage, opening, sectionFor, underHeading, unprintedNote, wholePages } from './answer-parts.js';
import { excerptOf, unquoted } from './excerpt.js';
import { findContact } from './find-contact.js';
import { bestOf, closest, notFound, type OfflineAnswer } from './offline-answer.js';
import { joinText } from './passages.js';
import { queryOf, type AskedQuestion, type Query } from './question.js';
import { openings } from './openings.js';
import type { PassageIndex } from './search.js';

const MOST_PASSAGES = 3;
/** Passages below this share of the best score are left out. */
const WORST_SCORE = { byWords: 0.4, byMeaning: 0.85 };

/** Answers with the best passages, a page, the document's beginning, or with the message that nothing was found. */
export function answerOffline(index: PassageIndex, asked: AskedQuestion): OfflineAnswer {
  const query = queryOf(index, asked);
  return (
    answerByRules(index, asked, query) ?? answerForeign(index, asked) ?? passagesFor(index, asked, query)
  );
}

/** Answers a question for a page, a section, a fact of the file, the whole document or a contact fact; null for others. */
export function answerByRules(index: PassageIndex, asked: AskedQuestion, query: Query): OfflineAnswer | null {
  const named = query.pages;
  if (named?.isWhole) return wholePages(index, asked, named);
  if (named && (named.first > asked.pages.length || named.first < 1)) return noSuchPage(asked, named);
  if (named) return null;
  const section = sectionFor(index, asked);
  if (section) return section;
  const fact = answerFact(index, asked);
  if (fact) return fact;
  if (query.isAboutWhole) return asked.starts ? openings(index, asked, asked.starts) : opening(index, asked);
  return contactFor(index, asked) ?? underHeading(index, asked, query);
}

/** The requested phone number, email or web address; null when the question is about something else. */
function contactFor(index: PassageIndex, asked: AskedQuestion): OfflineAnswer | null {
  const contact = parseContactQuestion(asked.question);
  if (!contact) return null;
  const found = findContact(index, contact, asked.pages.length);
  if (found.length > 0) return bestOf(asked, found, `by the form of ${aOrAn(contact.name)}`);
  return contact.isExplicit ? notFound(asked, `it has no ${contact.name} that fits`) : null;
}

function passagesFor(index: PassageIndex, asked: AskedQuestion, query: Query): OfflineAnswer {
  const { meaning } = asked;
  const { text, context, pages } = query;
  const { hits, isAnswered, isNear } = index.search(text, { context, meaning, pages });
  const best = hits[0];
  const isFound = isAnswered || pages !== null;
  if (!best || (!isFound && !isNear)) return notFound(asked);
  const wanted = new Set(index.terms.of(`${text} ${context}`));
  const least = best.score * (meaning ? WORST_SCORE.byMeaning : WORST_SCORE.byWords);
  const used = new Set<string>();
  const quotes: Citation[] = [];
  for (const { passage, score } of hits) {
    if (quotes.length === (isFound ? MOST_PASSAGES : 1) || score < least) break;
    const sentences = excerptOf(passage, unquoted(passage, used), wanted, index, meaning ?? null);
    if (sentences.length === 0) continue;
    for (const sentence of sentences) used.add(sentence);
    quotes.push({ page: passage.page, quote: sentences.reduce(joinText, '') });
  }
  const lacksPrice =
    pages === null && asksForPrice(asked.question) && !quotes.some(({ quote }) => namesPrice(quote));
  if (!isFound || lacksPrice) return closest(asked, quotes);
  const answer = bestOf(asked, quotes, `by the ${meaning ? 'meaning' : 'words'} of your question`);
  return { ...answer, pieces: [...answer.pieces, ...((pages && unprintedNote(asked, pages)) ?? [])] };
}

const aOrAn = (name: string) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
