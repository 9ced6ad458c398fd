/** A position in a list of texts: index of the text, and offset in it in UTF-16 code units. */
interface Position {
  index: number;
  offset: number;
}

export interface Passage {
  from: Position;
  /** End of the passage, exclusive. */
  to: Position;
}

/** Only letters and digits are compared, without case, since white space, hyphens and quotation marks can differ. */
const SIGNIFICANT = /[\p{L}\p{N}]/u;

/**
 * Finds a quote in the text items of a PDF page. PDFs split text at line ends and font changes.
 * @returns null if not found
 */
export function findPassage(texts: readonly string[], quote: string): Passage | null {
  let key = '';
  const positions: (Position & { length: number })[] = [];
  for (const [index, text] of texts.entries()) {
    let offset = 0;
    for (const character of text) {
      for (const letter of comparable(character)) {
        key += letter;
        for (let unit = 0; unit < letter.length; unit += 1)
          positions.push({ index, offset, length: character.length });
      }
      offset += character.length;
    }
  }
  const needle = Array.from(quote, (character) => comparable(character).join('')).join('');
  const start = needle === '' ? -1 : key.indexOf(needle);
  const first = positions[start];
  const last = positions[start + needle.length - 1];
  if (first === undefined || last === undefined) return null;
  return {
    from: { index: first.index, offset: first.offset },
    to: { index: last.index, offset: last.offset + last.length },
  };
}

const comparable = (character: string) =>
  Array.from(character.normalize('NFKD').toLowerCase()).filter((letter) => SIGNIFICANT.test(letter));
