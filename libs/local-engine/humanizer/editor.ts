import { compareFacts } from '#libs/local-engine/text/facts/facts.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { isOneParagraph } from '#libs/local-engine/text/prose.js';
import { sentencesOf } from '#libs/local-engine/text/sentences.js';
import type { Change } from '#libs/tools/humanize-text/contract.js';
import { contractionEdits } from './contraction-edits.js';
import { divisionEdits } from './division-edits.js';
import { phraseEdits, withoutOverlaps, type Edit } from './phrase-edits.js';
import { editableIn } from './running-text.js';

export interface EditedParagraph {
  text: string;
  changes: Omit<Change, 'count'>[];
}

/**
 * Edits the English paragraphs of one text by rules for stock phrases, contractions and long sentences. A paragraph that
 * would lose a fact stays unchanged.
 * @param kinds Default: all.
 */
export function createEditor(kinds?: readonly Change['kind'][]): (paragraph: string) => EditedParagraph {
  const used = new Map<number, number>();
  return (paragraph) => {
    const changes: EditedParagraph['changes'] = [];
    const curly = /[’“]/.test(paragraph);
    const steps: [Change['kind'], (text: string) => Edit[]][] = [
      ['phrase', (text) => phraseEdits(text, startsOf(text), used)],
      ['sentence', divisionEdits],
      ['contraction', (text) => contractionEdits(text, curly)],
    ];
    let text = paragraph;
    for (const [kind, find] of steps) {
      if (kinds?.includes(kind) === false) continue;
      const edits = withoutOverlaps(find(text).filter(editableIn(text)));
      changes.push(...edits.map((edit) => ({ kind, ...describeChange(edit, text, kind) })));
      text = apply(text, edits);
    }
    if (changes.length === 0) return { text: paragraph, changes };
    const isSound = isOneParagraph(text) && compareFacts(paragraph, text).length === 0;
    return isSound ? { text, changes } : { text: paragraph, changes: [] };
  };
}

/** The offset of each sentence's first letter or digit. */
const startsOf = (text: string) =>
  new Set(
    sentencesOf(text).map(({ start, end }) => start + text.slice(start, end).search(/[\p{L}\p{N}]|$/u)),
  );

function apply(text: string, edits: Edit[]): string {
  let at = 0;
  let edited = '';
  for (const { start, end, text: words } of edits) {
    edited += text.slice(at, start) + words;
    at = end;
  }
  return edited + text.slice(at);
}

/** A change for the list. For a divided sentence it has the words on both sides of the joint. */
function describeChange(
  { start, end, text: words }: Edit,
  text: string,
  kind: Change['kind'],
): Pick<Change, 'before' | 'after'> {
  const before = text.slice(start, end);
  if (kind === 'sentence') {
    const lead = /\S+$/u.exec(text.slice(0, start))?.[0] ?? '';
    const follow = /^\s*\S+/u.exec(text.slice(end))?.[0] ?? '';
    return { before: oneLine(lead + before + follow), after: oneLine(lead + words + follow) };
  }
  // The edit of a deleted phrase includes the next letter, which becomes a capital.
  if (words.length === 1 && before.length > 2) return { before: oneLine(before.slice(0, -1)), after: '' };
  return { before: oneLine(before), after: oneLine(words) };
}

export function countChanges(changes: EditedParagraph['changes']): Change[] {
  const counted = new Map<string, Change>();
  for (const change of changes) {
    const key = JSON.stringify([change.kind, change.before, change.after]);
    const known = counted.get(key);
    if (known) known.count += 1;
    else counted.set(key, { ...change, count: 1 });
  }
  return [...counted.values()];
}
