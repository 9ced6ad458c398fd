import type { Nodes, Parent } from 'mdast';

/** Tags for what Markdown has no marks for. */
export const inlineTags = ['sup', 'sub', 'u', 'mark'] as const;
/** Tags in place of `**`, `*` and `~~` beside characters where these are no marks, as in `a<strong>:</strong>b`. */
const emphasisTags = ['strong', 'em', 'del'] as const;
/** All other HTML in texts is shown as it is written. */
export type InlineTag = (typeof inlineTags | typeof emphasisTags)[number];

/** A node of the syntax tree for a text between two tags. */
export interface Tagged extends Parent {
  type: 'tagged';
  tag: InlineTag;
  /** Read by mdast-util-to-hast. */
  data: { hName: InlineTag };
}

const TAG = new RegExp(`^<(/?)(${[...inlineTags, ...emphasisTags].join('|')})>$`);

/** Replaces each pair of tags in the syntax tree, and what is between them, by one node. A tag without its pair stays text. */
export function readInlineTags(root: Nodes): void {
  if (!('children' in root)) return;
  const read: Nodes[] = [];
  const open: { tag: InlineTag; at: number }[] = [];
  for (const child of root.children as Nodes[]) {
    const [, slash, name] = (child.type === 'html' && TAG.exec(child.value)) || [];
    const start = slash === '/' ? open.findLastIndex(({ tag }) => tag === name) : -1;
    const opened = open[start];
    if (opened === undefined) {
      readInlineTags(child);
      if (slash === '') open.push({ tag: name as InlineTag, at: read.length });
      read.push(child);
      continue;
    }
    open.length = start;
    const [first, ...children] = read.splice(opened.at);
    const { tag } = opened;
    const position = {
      start: first?.position?.start ?? { line: 1, column: 1 },
      end: child.position?.end ?? { line: 1, column: 1 },
    };
    const tagged: Tagged = {
      type: 'tagged',
      tag,
      data: { hName: tag },
      children: children as Tagged['children'],
      position,
    };
    read.push(tagged as unknown as Nodes);
  }
  root.children = read as typeof root.children;
}

const SUPERSCRIPTS: Record<string, string> = Object.fromEntries(
  Array.from('0123456789+-=()n', (character, index) => [
    character,
    Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ')[index] ?? '',
  ]),
);
const SUBSCRIPTS: Record<string, string> = Object.fromEntries(
  Array.from('0123456789+-=()', (character, index) => [
    character,
    Array.from('₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎')[index] ?? '',
  ]),
);

/** A raised or lowered text in characters alone: `⁶`, or `^(th)` where there are none. */
export function plainScript(text: string, tag: 'sup' | 'sub'): string {
  const map = tag === 'sup' ? SUPERSCRIPTS : SUBSCRIPTS;
  const characters = Array.from(text);
  if (characters.every((character) => character in map))
    return characters.map((character) => map[character]).join('');
  const mark = tag === 'sup' ? '^' : '_';
  return characters.length === 1 ? mark + text : `${mark}(${text})`;
}

const SCRIPT = /<(sup|sub)>([^<>]*)<\/\1>/g;
/** Scripts within scripts, of which each reading writes the innermost. */
const MAX_SCRIPTS = 3;

/** Removes the tags of a text without losing what they say: `10<sup>6</sup>` becomes `10⁶`. */
export function withoutInlineTags(text: string): string {
  let plain = text;
  for (let level = 0; level < MAX_SCRIPTS; level += 1)
    plain = plain.replace(SCRIPT, (_, tag: 'sup' | 'sub', words: string) => plainScript(words, tag));
  return plain.replace(/<\/?(?:sup|sub|u|mark|strong|em|del)>/g, '');
}
