import { diff3Merge } from 'node-diff3';

/** A part of a merged text, or one that both sides changed in their own way. */
export type MergedPart = { kind: 'text'; text: string } | Conflict;

export interface Conflict {
  kind: 'conflict';
  mine: string;
  theirs: string;
}

/** Merges two changed versions of a Markdown text by lines, which its paragraphs are. */
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

/** Lines next to each other that were changed by one side each are no conflict. */
function mergeLines(mine: string[], base: string[], theirs: string[]): MergedPart[] {
  if (mine.length !== base.length || theirs.length !== base.length)
    return [{ kind: 'conflict', mine: mine.join(''), theirs: theirs.join('') }];
  return base.map((line, index) => {
    const [own = '', other = ''] = [mine[index], theirs[index]];
    if (own === other || other === line) return { kind: 'text', text: own };
    return own === line ? { kind: 'text', text: other } : { kind: 'conflict', mine: own, theirs: other };
  });
}

/** Every line ends in the same way, so that a text that goes on after its last line does not change that line. */
const linesOf = (text: string) => (text.endsWith('\n') ? text : `${text}\n`).split(/(?<=\n)/);
