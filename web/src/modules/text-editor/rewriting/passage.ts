import { Fragment, type Node, type Slice } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { CONTEXT_MAX_CHARACTERS } from '#libs/tools/rewrite-text/contract.js';
import { readBlocks } from '../document/read-markdown';
import { schema } from '../document/schema';
import { writeBlock } from '../document/write-markdown';

const { nodes } = schema;
/** Placeholder for nodes such as images, each of one character, so that text offsets equal document positions. */
const OBJECT = '\uFFFC';

export interface Passage {
  from: number;
  to: number;
  /** True if the passage is text within one paragraph, false if it consists of whole blocks. */
  isInline: boolean;
  /** Description for the user, such as `the selected words`. */
  name: string;
}

/** The selected text or blocks. Without a selection, the section at the cursor. Null if the passage has no letters. */
export function passageAt(state: EditorState): Passage | null {
  const passage = state.selection.empty ? sectionAt(state) : selectedPassage(state);
  return passage !== null && hasText(state, passage) ? passage : null;
}

/** The text from the start of the section to the end of the block that contains the cursor; null if it has no letters. */
export function passageBefore(state: EditorState): Passage | null {
  const { from } = sectionAt(state);
  const { $to } = state.selection;
  const passage = {
    from,
    to: $to.depth === 0 ? $to.pos : $to.after(1),
    isInline: false,
    name: 'the text so far',
  };
  return hasText(state, passage) ? passage : null;
}

const hasText = ({ doc }: EditorState, { from, to }: Passage) =>
  /\p{L}/u.test(doc.textBetween(from, to, ' '));

function selectedPassage({ doc, selection: { $from, $to } }: EditorState): Passage | null {
  if ($from.sameParent($to) && $from.parent.inlineContent) {
    if ($from.parent.type.spec.code) return null;
    const text = $from.parent.textBetween($from.parentOffset, $to.parentOffset, undefined, OBJECT);
    const from = $from.pos + (text.length - text.trimStart().length);
    const to = $to.pos - (text.length - text.trimEnd().length);
    return from < to ? { from, to, isInline: true, name: 'the selected words' } : null;
  }
  const from = $from.depth === 0 ? $from.pos : $from.before(1);
  const to = $to.depth === 0 ? $to.pos : $to.after(1);
  return from < Math.min(to, doc.content.size)
    ? { from, to, isInline: false, name: 'the selected paragraphs' }
    : null;
}

/** The section at the cursor: the heading above it and all blocks before the next heading of the same or a higher level. */
function sectionAt({ doc, selection: { $from } }: EditorState): Passage {
  const blocks = doc.children;
  const levelOf = (block: Node | undefined) =>
    block?.type === nodes.heading ? Number(block.attrs['level']) : Infinity;
  const at = Math.min($from.index(0), blocks.length - 1);
  let first = at;
  while (first > 0 && levelOf(blocks[first]) === Infinity) first -= 1;
  const level = levelOf(blocks[first]);
  const isEnd = (block: Node) => levelOf(block) < Infinity && levelOf(block) <= level;
  const next = blocks.findIndex((block, index) => index > at && isEnd(block));
  const end = next < 0 ? blocks.length : next;
  const from = sizeOf(blocks.slice(0, first));
  const title = level < Infinity ? (blocks[first]?.textContent.trim() ?? '') : '';
  const isWhole = first === 0 && end === blocks.length;
  return {
    ...{ from, to: from + sizeOf(blocks.slice(first, end)), isInline: false },
    name: isWhole || title === '' ? 'this text' : `the section “${title}”`,
  };
}

const sizeOf = (blocks: readonly Node[]) => blocks.reduce((size, { nodeSize }) => size + nodeSize, 0);

export const passageMarkdown = (doc: Node, { from, to, isInline }: Passage): string =>
  markdownOf(doc.slice(from, to), isInline);

const markdownOf = ({ content }: Slice, isInline: boolean): string =>
  isInline
    ? writeBlock(nodes.paragraph.create(null, content))
    : content.content.map((block) => writeBlock(block)).join('\n\n');

/** Finds a stored passage again after a reload: the nearest range with the same Markdown, or null. */
export function findPassage(doc: Node, passage: Passage, markdown: string): Passage | null {
  const candidates = passage.isInline ? matchingText(doc, markdown) : matchingBlocks(doc, markdown);
  const [nearest] = candidates
    .map(({ from, to }) => ({ ...passage, from, to }))
    .filter((found) => passageMarkdown(doc, found) === markdown)
    .sort((one, other) => Math.abs(one.from - passage.from) - Math.abs(other.from - passage.from));
  return nearest ?? null;
}

type Range = Pick<Passage, 'from' | 'to'>;

/** All ranges within single text blocks whose text equals that of the Markdown. */
function matchingText(doc: Node, markdown: string): Range[] {
  const [block] = readBlocks(markdown);
  const words = block?.textBetween(0, block.content.size, undefined, OBJECT) ?? '';
  const found: Range[] = [];
  if (words === '') return found;
  doc.descendants((node, position) => {
    if (!node.inlineContent) return;
    const text = node.textBetween(0, node.content.size, undefined, OBJECT);
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
      found.push({ from: position + 1 + at, to: position + 1 + at + words.length });
  });
  return found;
}

/** All ranges of as many consecutive blocks as the Markdown has. The caller compares their content. */
function matchingBlocks(doc: Node, markdown: string): Range[] {
  const count = readBlocks(markdown).length;
  const found: Range[] = [];
  doc.forEach((_, from, index) => {
    const blocks = doc.children.slice(index, index + count);
    if (blocks.length === count) found.push({ from, to: from + sizeOf(blocks) });
  });
  return found;
}

/** Plain text before and after a passage, at most CONTEXT_MAX_CHARACTERS each. */
export function contextOf(doc: Node, { from, to }: Passage): { before?: string; after?: string } {
  const before = doc.textBetween(0, from, '\n\n').slice(-CONTEXT_MAX_CHARACTERS).trim();
  const after = doc.textBetween(to, doc.content.size, '\n\n').slice(0, CONTEXT_MAX_CHARACTERS).trim();
  return { ...(before && { before }), ...(after && { after }) };
}

/** The content of all text blocks joined by spaces, for insertion into one paragraph. */
export function inlineContent(blocks: readonly Node[]): Fragment {
  const content: Node[] = [];
  const read = (block: Node) => {
    if (!block.isTextblock) return block.forEach(read);
    if (content.length > 0 && block.childCount > 0) content.push(schema.text(' '));
    content.push(...block.children);
  };
  blocks.forEach(read);
  return Fragment.fromArray(content);
}
