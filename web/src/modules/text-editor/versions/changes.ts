import { diffArrays, diffWords } from 'diff';
import { linesOf } from '../saving/merge-texts';

export interface Change {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Maximum characters, old and new, to compare word by word, since that takes quadratic time. */
const MAX_COMPARED = 20_000;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Compares two texts by lines, and changed lines by words. */
export function changesOf(before: string, after: string): Change[] {
  const changes: Change[] = [];
  const parts = diffArrays(linesOf(before), linesOf(after));
  for (let index = 0; index < parts.length; index += 1) {
    const { value, removed, added } = parts[index] ?? { value: [] };
    const next = parts[index + 1];
    const text = value.join('');
    if (removed && next?.added) {
      changes.push(...wordChanges(text, next.value.join('')));
      index += 1;
    } else changes.push({ kind: removed ? 'removed' : added ? 'added' : 'same', text });
  }
  return changes;
}

function wordChanges(before: string, after: string): Change[] {
  if (before.length + after.length > MAX_COMPARED)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  return diffWords(before, after, { intlSegmenter: segmenter }).map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}
