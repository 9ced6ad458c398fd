/** A place in a list of texts: which one, and how many UTF-16 code units into it. */
interface Place {
  index: number;
  offset: number;
}

export interface Passage {
  from: Place;
  /** Behind the last character. */
  to: Place;
}

/** What counts when words are compared: line ends, spaces, hyphens, quotation marks and capitals may differ. */
const COUNTS = /[\p{L}\p{N}]/u;

/**
 * Where a quotation stands in a page's pieces of text, as a PDF has them: cut at line ends and wherever the font
 * changes. Null where it does not.
 */
export function findPassage(texts: readonly string[], quote: string): Passage | null {
  let key = '';
  const places: (Place & { length: number })[] = [];
  for (const [index, text] of texts.entries()) {
    let offset = 0;
    for (const character of text) {
      for (const letter of comparable(character)) {
        key += letter;
        for (let unit = 0; unit < letter.length; unit += 1)
          places.push({ index, offset, length: character.length });
      }
      offset += character.length;
    }
  }
  const wanted = Array.from(quote, (character) => comparable(character).join('')).join('');
  const at = wanted === '' ? -1 : key.indexOf(wanted);
  const first = places[at];
  const last = places[at + wanted.length - 1];
  if (first === undefined || last === undefined) return null;
  return {
    from: { index: first.index, offset: first.offset },
    to: { index: last.index, offset: last.offset + last.length },
  };
}

const comparable = (character: string) =>
  Array.from(character.normalize('NFKD').toLowerCase()).filter((letter) => COUNTS.test(letter));
