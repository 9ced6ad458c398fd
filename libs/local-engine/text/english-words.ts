import dictionary from 'dictionary-en';
import nspell from 'nspell';

let checker: nspell | undefined;

/** True if a lower-case word is in the English dictionary; names are not. */
export function isEnglishWord(word: string): boolean {
  // The dictionary takes about 150 ms and 15 MB, so it is loaded on first use.
  checker ??= nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) });
  return checker.correct(word);
}
