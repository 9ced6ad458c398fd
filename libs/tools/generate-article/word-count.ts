/** Characters of scripts without spaces between words. Each character counts as a word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Counts the words of a streamed text, to estimate the progress. */
export function createWordCount() {
  let words = 0;
  let inWord = false;
  return {
    /** Adds a chunk and returns the number of words so far. A word may continue in the next chunk. */
    add(piece: string): number {
      for (const character of piece) {
        if (unspaced.test(character)) {
          words += 1;
          inWord = false;
        } else if (/[\p{L}\p{N}]/u.test(character)) {
          if (!inWord) words += 1;
          inWord = true;
        } else if (/\s/u.test(character)) {
          inWord = false;
        }
      }
      return words;
    },
  };
}
