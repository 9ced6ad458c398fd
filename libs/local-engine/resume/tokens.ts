import { stemmer } from 'stemmer';
import { foldLetters } from '#libs/local-engine/text/fold-letters.js';

export interface Token {
  /** As written. */
  text: string;
  /** In lower case, without accents and ligatures. */
  lower: string;
  /** Equal for the forms of a word. */
  stem: string;
  start: number;
  end: number;
}

/** A word or number. Names such as C++, C#, .NET and Node.js keep their signs; Latin letters end where others begin ("Goの"). */
const WORD =
  /\.(?:net|js)(?![\p{L}\p{N}])|[\p{Script=Latin}\p{N}]+(?:\+\+|#)?|(?:(?!\p{Script=Latin})[\p{L}\p{N}])+/giu;

/** Splits a text into words; `CI/CD`, `front-end` and `year's` are two each. */
export function tokenise(text: string): Token[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    const lower = foldLetters(word);
    return { text: word, lower, stem: stemmer(lower), start: index, end: index + word.length };
  });
}
