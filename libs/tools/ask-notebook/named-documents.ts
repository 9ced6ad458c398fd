import { FILE_ENDING } from '#libs/contract/files.js';
import words from './named-documents.json' with { type: 'json' };

/** A shorter name may be a word of the question by chance. */
const MIN_CHARACTERS = 8;

/** Stands in a question for the name of a document. */
const NAME = '§';

/**
 * The documents that a question names, by their whole name, such as “lease 2024.pdf”, or as “document 2”; all documents if it
 * names none, or asks for others too.
 */
export function namedIn<D extends { source: number; name: string }>(question: string, documents: D[]): D[] {
  const named = new Set<D>();
  let rest = plain(question);
  const references = documents
    .flatMap((document) => referencesTo(document).map((text) => ({ document, text })))
    .sort((a, b) => b.text.length - a.text.length);
  for (const { document, text } of references) {
    if (!rest.includes(text)) continue;
    named.add(document);
    rest = rest.replaceAll(text, ` ${NAME} `);
  }
  return named.size === 0 || asksForOthers(rest, named.size)
    ? documents
    : documents.filter((document) => named.has(document));
}

/** The texts that name a document in a question. */
function referencesTo({ source, name }: { source: number; name: string }): string[] {
  const stem = plain(name.replace(FILE_ENDING, ''));
  const isDistinct = stem.length >= MIN_CHARACTERS && stem.trim().includes(' ');
  return [
    ...['document', 'source', 'file', 'dokument', 'quelle'].map((word) => ` ${word} ${source} `),
    ...(FILE_ENDING.test(name) ? [plain(name)] : []),
    ...(isDistinct ? [stem] : []),
  ];
}

const anyOf = (list: readonly string[]) => `(?:${list.join('|')})`;

const OTHERS = new RegExp(
  ` (?:${anyOf(words.others)}|${anyOf(words.quantifiers)} (?:\\p{L}+ ){0,2}${anyOf(words.documents)}) `,
  'u',
);
const COMPARISON = new RegExp(` (?:${anyOf(words.comparisons)}\\p{L}*|vs) `, 'u');
const SIDES = new RegExp(` ${anyOf([...words.joining, ...words.comparing])} `, 'u');
/** A name joined to another subject: “the rules and §”, “§ and the rules”; not to a second question, as in “§, and when”. */
const JOINED = new RegExp(
  `^[^${NAME}]* ${anyOf(words.joining)} ${NAME} | ${NAME} ${anyOf(words.joining)} (?!${anyOf(words.asking)} )[^${NAME}]*$`,
  'u',
);

/** True if a question, with {@link NAME} for each name, asks for more than the named documents. */
function asksForOthers(question: string, named: number): boolean {
  if (OTHERS.test(question)) return true;
  if (!COMPARISON.test(question)) return JOINED.test(question);
  return named === 1 || question.split(SIDES).some((side) => !` ${side} `.includes(NAME));
}

/** Words in lower case, with a space before and after each. */
const plain = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `.replace(/ +/g, ' ');
