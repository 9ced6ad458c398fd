import { diffArrays } from 'diff';

interface Range {
  from: number;
  to: number;
}

/** Time limit of a comparison, since comparing very different texts takes long. */
const MAX_MS = 300;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const segmentsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Ranges of the words that differ between two texts; null if the comparison takes too long. */
export function changedWords(before: string, after: string): { removed: Range[]; added: Range[] } | null {
  const parts = diffArrays(segmentsOf(before), segmentsOf(after), { timeout: MAX_MS });
  if (!parts) return null;
  const removed: Range[] = [];
  const added: Range[] = [];
  let [old, fresh] = [0, 0];
  for (const part of parts) {
    const size = part.value.join('').length;
    if (part.removed) add(removed, { from: old, to: old + size }, before);
    else if (part.added) add(added, { from: fresh, to: fresh + size }, after);
    if (!part.added) old += size;
    if (!part.removed) fresh += size;
  }
  return { removed, added };
}

/** Adds a range to the list, or extends the last range if only white space separates the two. */
function add(ranges: Range[], range: Range, text: string): void {
  const last = ranges.at(-1);
  if (last && /^\s*$/.test(text.slice(last.to, range.from))) last.to = range.to;
  else if (text.slice(range.from, range.to).trim() !== '') ranges.push(range);
}
