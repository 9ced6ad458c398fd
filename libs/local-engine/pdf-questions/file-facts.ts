import data from './file-facts.json' with { type: 'json' };
import { phrasesByLanguage, wordsOf } from './phrases.js';

/** What a file says about itself, and not its text. */
export type FileFact = 'pages' | 'author' | 'modified' | 'created' | 'language' | 'title' | 'headings';

const facts = (['pages', 'author', 'modified', 'created', 'language', 'title', 'headings'] as const).map(
  (fact) =>
    [
      fact,
      data[fact].map(
        (source) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?:(?<= )|(?![\\p{L}\\p{N}]))`, 'u'),
      ),
    ] as const,
);
const toSet = (list: string): ReadonlySet<string> => new Set(wordsOf(list).map(({ text }) => text));
const also = toSet(data.also);
const generic = toSet(data.generic);
const demonstratives = toSet(data.demonstratives);
const people = toSet(data.people);

/** Facts that a question with "it" may ask about the subject of an earlier question. */
const OF_OTHER_THINGS: ReadonlySet<FileFact> = new Set(['author', 'created', 'modified', 'title']);

const LONGEST_QUESTION = 160;

/**
 * The fact of the file that a question asks for; null for a question about something in the document, such as "How many
 * pages does the annex have?".
 * @param hasSubject whether an earlier question named a subject, to which "it" may refer
 */
export function parseFileFact(question: string, hasSubject: boolean): FileFact | null {
  if (question.length > LONGEST_QUESTION) return null;
  const words = wordsOf(question);
  const text = words.map((word) => word.text).join(' ');
  for (const [fact, patterns] of facts) {
    const match = patterns.map((pattern) => pattern.exec(text)).find((found) => found !== null);
    if (!match) continue;
    const rest = wordsOf(`${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`).map(
      (word) => word.text,
    );
    if (asksAboutFile(rest, fact, hasSubject)) return fact;
  }
  return null;
}

function asksAboutFile(rest: string[], fact: FileFact, hasSubject: boolean): boolean {
  const isFramed = phrasesByLanguage.some(({ frame, documents, parts }) => {
    const known = rest.every((word) => frame.has(word) || also.has(word));
    const named = rest.filter((word) => documents.has(word));
    const isThis = named.every((word) => generic.has(word)) || rest.some((word) => demonstratives.has(word));
    return known && isThis && !rest.some((word) => parts.has(word) || people.has(word));
  });
  const namesFile = rest.some((word) => generic.has(word) || demonstratives.has(word));
  return isFramed && (namesFile || !hasSubject || !OF_OTHER_THINGS.has(fact));
}
