import { isEnglishWord } from './english-words.js';
import { detectLanguage } from './language.js';
import words from './seems-english.json' with { type: 'json' };

const foreignWords = new Set([...words.foreignWords, ...words.decisiveWords]);
const decisiveWords = new Set(words.decisiveWords);
const wordsBeforeForeignOnes = new Set(words.wordsBeforeForeignOnes);
const borrowedWords = new Set(words.borrowedWords);
const borrowedPhrases = new RegExp(
  String.raw`(?<!\p{L})(?:${words.borrowedPhrases.join('|').replaceAll("'", "['’]")})(?!\p{L})`,
  'giu',
);

/** A letter of a script without small letters, such as ת, says more than a Latin one, and one of East Asia most. */
const weightOf = (letter: string): number =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter)
    ? 3
    : /\p{Lo}/u.test(letter) && !/\p{Script=Latin}/u.test(letter)
      ? 2
      : 1;

/**
 * True if a line such as a keyword or a topic may be English: it has few other letters, and no two signs of another language.
 * Names and terms, which no dictionary has, may be English.
 */
export function seemsEnglish(line: string): boolean {
  const own = line.replaceAll(borrowedPhrases, ' ');
  const all = own.match(/\p{L}+/gu) ?? [];
  const small = new Set(all.map((word) => word.toLowerCase()).filter((word) => foreignWords.has(word)));
  const accented = all.filter((word) => /[^a-z]/i.test(word) && !borrowedWords.has(word.toLowerCase()));
  // A word with a capital may be a name.
  const isDecisive = accented.some((word) => /^\p{Ll}/u.test(word)) && !endsInEnglish(all, accented);
  const accents = isDecisive ? 2 : accented.length > 0 ? 1 : 0;
  const asksInAnother = /^¿|^(?:wie|warum|wieso|weshalb|pourquoi|cómo|qué|perché)\s/iu.test(line);
  return (
    !isInOtherLetters(line) &&
    small.size + accents < 2 &&
    !asksInAnother &&
    !all.some((word) => decisiveWords.has(word)) &&
    !isUnknown(own)
  );
}

/**
 * True if a word in English follows all others, as in "bánh mì recipe": the end of a phrase in English says what it is about.
 * With two words it may be by chance: "energía solar".
 */
const endsInEnglish = (words: string[], others: string[]): boolean =>
  words.length > 2 && isKnown(words.at(-1)!) && words.every((word) => others.includes(word) || isKnown(word));

function isKnown(word: string): boolean {
  const name = word.toLowerCase().replace('’', "'");
  return borrowedWords.has(name) || isEnglishWord(name);
}

/** True if more than three eighths of a line are in other letters than Latin ones: "在宅勤務 tips", but not "sushi 寿司 etiquette". */
function isInOtherLetters(line: string): boolean {
  const letters = line.match(/\p{L}/gu) ?? [];
  const weigh = (some: string[]) => some.reduce((sum, letter) => sum + weightOf(letter), 0);
  return weigh(letters.filter((letter) => !/\p{Script=Latin}/u.test(letter))) * 8 > weigh(letters) * 3;
}

/**
 * True if the dictionary lacks most words of a line that the detector takes for another language: "recetas faciles"; or half
 * of them with the last one: "Home Office einrichten Tipps"; or one in a line with a word such as "para".
 */
function isUnknown(line: string): boolean {
  const all = line.match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
  const isForeign = (word: string) => /^\p{Ll}/u.test(word) && !isKnown(word);
  const others = all.filter((word) => !wordsBeforeForeignOnes.has(word));
  if (others.length < all.length && others.some(isForeign)) return true;
  const { code, isReliable } = detectLanguage(line);
  if (code === '' || code === 'en') return false;
  const last = all.at(-1)!;
  if (all.length === 3 && isKnown(last) && !all.some((word) => foreignWords.has(word))) return false;
  const capitals = all.filter((word) => /^\p{Lu}/u.test(word));
  // A single capital is the first word's, others are of names, but German nouns have one too.
  const judged = code === 'de' || capitals.length < 2 ? all : all.filter((word) => !capitals.includes(word));
  const unknown = judged.filter((word) => !isKnown(word)).length;
  const isHalf = isReliable && judged.length > 3 && unknown * 2 === judged.length && !isKnown(last);
  // Two words may be names, which the detector is rarely sure of.
  return isHalf || (unknown * 2 > judged.length && judged.length > 1 && (judged.length > 2 || isReliable));
}
