import words from './seems-english.json' with { type: 'json' };

const foreignWords = new Set(words.foreignWords);

/**
 * True if a line such as a keyword or a topic may be English: it has no other letters, and no two signs of another language.
 * Names and terms, which no dictionary has, may be English.
 */
export function seemsEnglish(line: string): boolean {
  const letters = line.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter)).length;
  const small = new Set(
    (line.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => foreignWords.has(word)),
  );
  const accents = /[äöüßéèêàçñáíóúãõåøœ¿¡]/iu.test(line) ? 1 : 0;
  const asksInAnother = /^¿|^(?:wie|warum|wieso|weshalb|pourquoi|cómo|qué|perché)\s/iu.test(line);
  return foreign * 3 <= letters.length && small.size + accents < 2 && !asksInAnother;
}
