import nlp from 'compromise/one';

/** The sentences of a text, in UTF-16 code units. "Dr." and "e.g." do not end one. */
export function sentencesOf(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let at = 0;
  for (const sentence of nlp.tokenize(text).out('array') as string[]) {
    const start = text.indexOf(sentence, at);
    // A sentence that the library has changed is merged with its neighbour.
    if (start < 0 || sentence.trim() === '') continue;
    const previous = found.at(-1);
    if (previous && /\S/u.test(text.slice(previous.end, start))) previous.end = start;
    at = start + sentence.length;
    found.push({ start: found.length === 0 ? firstWord(text) : start, end: at });
  }
  const last = found.at(-1);
  if (!last) return /\S/u.test(text) ? [{ start: firstWord(text), end: text.trimEnd().length }] : [];
  last.end = Math.max(last.end, text.trimEnd().length);
  return found;
}

const firstWord = (text: string) => text.length - text.trimStart().length;
