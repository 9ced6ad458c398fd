import { foldLetters } from '#libs/local-engine/text/fold-letters.js';
import data from './phrases.json' with { type: 'json' };

/** A word of a question: without accents and in lower case, with its offsets in the question. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/** Words with which one language asks about a document. In patterns, DOC stands for a word of `documents`, PART for one of `parts`. */
export interface Phrases {
  language: string;
  /** "contract", "paper". */
  documents: ReadonlySet<string>;
  /** "section", "clause". */
  parts: ReadonlySet<string>;
  determiners: ReadonlySet<string>;
  /** "it", "this" for the document. */
  pronouns: ReadonlySet<string>;
  /** Words before a subject: "about", "concerning". */
  markers: ReadonlySet<string>;
  questionWords: ReadonlySet<string>;
  prepositions: ReadonlySet<string>;
  /** All words of a question that do not name its subject, with those above. */
  frame: ReadonlySet<string>;
  /** Words of the frame that may follow the subject. */
  tails: ReadonlySet<string>;
  endings: RegExp[];
  cues: RegExp[];
  /** The end of a compound that names a part: "klausel" in "Kautionsklausel". */
  suffix: RegExp | null;
}

export const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu), (match) => ({
    text: foldLetters(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));

const toSet = (list: string) => new Set(wordsOf(list).map(({ text }) => text));

export const phrasesByLanguage: readonly Phrases[] = Object.entries(data).map(([language, phrases]) => {
  const sets = {
    documents: toSet(phrases.documents),
    parts: toSet(phrases.parts),
    determiners: toSet(phrases.determiners),
    pronouns: toSet(phrases.pronouns),
    markers: toSet(phrases.markers),
    questionWords: toSet(phrases.questionWords),
    prepositions: toSet(phrases.prepositions),
    tails: toSet(phrases.tails),
  };
  const toPattern = (source: string) =>
    new RegExp(source.replaceAll('{det}', [...sets.determiners].join('|')), 'u');
  const frame = new Set([
    ...toSet(phrases.frame),
    ...sets.documents,
    ...sets.parts,
    ...sets.determiners,
    ...sets.pronouns,
    ...sets.markers,
    ...sets.questionWords,
    ...sets.prepositions,
  ]);
  return {
    language,
    ...sets,
    frame,
    endings: phrases.endings.map(toPattern),
    cues: phrases.cues.map(toPattern),
    suffix: 'suffix' in phrases ? new RegExp(phrases.suffix, 'iu') : null,
  };
});
