import { readFileSync } from 'node:fs';
import nspell from 'nspell';

let checker: nspell | undefined;

/** True if a lower-case word is in the English dictionary; names are not. */
export function isEnglishWord(word: string): boolean {
  // The dictionary takes about 150 ms and 15 MB, so it is loaded on first use.
  checker ??= nspell({ aff: read('index.aff'), dic: read('index.dic') });
  return checker.correct(word);
}

/** Reads a file of `dictionary-en`, whose module awaits at its top level (see pdf-worker.ts). */
const read = (file: string) => readFileSync(new URL(file, import.meta.resolve('dictionary-en')));
