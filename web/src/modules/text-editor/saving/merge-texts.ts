import { diff3Merge } from 'node-diff3';

/** A part of a merged text: either merged text, or a conflict of lines that both sides changed differently. */
export type MergedPart = { kind: 'text'; text: string } | Conflict;

export interface Conflict {
  kind: 'conflict';
  mine: string;
  theirs: string;
}

/** Merges two texts that were both changed from `base`, line by line. */
export function mergeTexts(mine: string, base: string, theirs: string): MergedPart[] {
  const parts: MergedPart[] = [];
  const add = (part: MergedPart) => {
    const last = parts.at(-1);
    if (last?.kind === 'text' && part.kind === 'text') last.text += part.text;
    else if (part.kind === 'conflict' || part.text !== '') parts.push(part);
  };
  for (const region of diff3Merge(linesOf(mine), linesOf(base), linesOf(theirs))) {
    if (region.ok) add({ kind: 'text', text: region.ok.join('') });
    if (region.conflict) {
      const { a, o, b } = region.conflict;
      for (const part of mergeLines(a, o, b)) add(part);
    }
  }
  return parts;
}

/** diff3 reports adjacent changed lines as one conflict. Merges the lines that only one side changed. */
function mergeLines(mine: string[], base: string[], theirs: string[]): MergedPart[] {
  if (mine.length !== base.length || theirs.length !== base.length)
    return [{ kind: 'conflict', mine: mine.join(''), theirs: theirs.join('') }];
  return base.map((line, index) => {
    const [own = '', other = ''] = [mine[index], theirs[index]];
    if (own === other || other === line) return { kind: 'text', text: own };
    return own === line ? { kind: 'text', text: other } : { kind: 'conflict', mine: own, theirs: other };
  });
}

/** Splits a text into lines, each with its line break, also the last one: a line added after it then doesn't change it. */
export const linesOf = (text: string) => (text.endsWith('\n') ? text : `${text}\n`).split(/(?<=\n)/);
