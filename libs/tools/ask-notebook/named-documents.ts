/** A shorter name may be a word of the question by chance. */
const FEWEST_CHARACTERS = 8;

/**
 * The documents that a question names, by their whole name, such as “lease 2024.pdf”, or as “document 2”; all documents if it
 * names none.
 */
export function namedIn<D extends { source: number; name: string }>(question: string, documents: D[]): D[] {
  const asked = plain(question);
  const numbers = new Set(
    Array.from(
      question.matchAll(/\b(?:document|source|file|Dokument|Quelle)\s+#?(\d{1,4})\b/gi),
      ([, number]) => Number(number),
    ),
  );
  const named = documents.filter(({ name, source }) => {
    const stem = plain(name.replace(ENDING, ''));
    const isDistinct = stem.length >= FEWEST_CHARACTERS && stem.trim().includes(' ');
    return (
      numbers.has(source) ||
      (isDistinct && asked.includes(stem)) ||
      (ENDING.test(name) && asked.includes(plain(name)))
    );
  });
  return named.length > 0 ? named : documents;
}

const ENDING = /\.\w{2,5}$/;

/** Words in lower case, with a space before and after each. */
const plain = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `.replace(/ +/g, ' ');
