import { closeHistory } from 'prosemirror-history';
import type { Node, Slice } from 'prosemirror-model';
import { Plugin, PluginKey, TextSelection, type EditorState } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { readBlocks } from '../document/read-markdown';
import { changedWords } from './changed-words';
import { inlineContent, type Passage } from './passage';

/** State of the passage compared to when the suggestion was requested. */
export type PassageState = 'same' | 'changed' | 'deleted';

interface ActiveSuggestion {
  id: string;
  passage: Passage;
  /** True if the suggestion is inserted after the passage, false if it replaces the passage. */
  follows: boolean;
  original: Slice;
  /** The element that shows the suggestion, after the last block of the passage. */
  host: HTMLElement;
  /** Ranges of words that the suggestion would remove. */
  removed: readonly { from: number; to: number }[];
  state: PassageState;
  onState: (state: PassageState) => void;
}

const key = new PluginKey<ActiveSuggestion | null>('suggestion');

/** Shows a suggestion below its passage. The document does not change until the user accepts it. */
export const suggestionPlugin = () =>
  new Plugin<ActiveSuggestion | null>({
    key,
    state: {
      init: () => null,
      apply(transaction, suggestion) {
        const set = transaction.getMeta(key) as ActiveSuggestion | null | undefined;
        if (set !== undefined) return set;
        if (suggestion === null || !transaction.docChanged) return suggestion;
        const { mapping, doc } = transaction;
        const { passage, original, removed } = suggestion;
        const from = mapping.map(passage.from, 1);
        const to = mapping.map(passage.to, -1);
        if (suggestion.state === 'deleted' || from >= to) {
          const at = Math.min(mapping.map(passage.from), doc.content.size);
          return { ...suggestion, passage: { ...passage, from: at, to: at }, removed: [], state: 'deleted' };
        }
        const isSame = doc.slice(from, to).content.eq(original.content);
        return {
          ...suggestion,
          passage: { ...passage, from, to },
          removed: isSame
            ? removed.map((range) => ({ from: mapping.map(range.from), to: mapping.map(range.to) }))
            : [],
          state: isSame ? 'same' : 'changed',
        };
      },
    },
    props: {
      decorations(state) {
        const suggestion = key.getState(state);
        if (!suggestion) return null;
        const { id, passage, removed, host, follows } = suggestion;
        const marks = passage.isInline
          ? [Decoration.inline(passage.from, passage.to, { class: 'suggestion-passage' })]
          : blocksIn(state.doc, passage).map(({ from, to }) =>
              Decoration.node(from, to, { class: 'suggestion-passage' }),
            );
        return DecorationSet.create(state.doc, [
          ...(follows ? [] : marks),
          ...removed.map(({ from, to }) => Decoration.inline(from, to, { nodeName: 'del' })),
          Decoration.widget(endOfBlock(state, passage.to), host, {
            key: id,
            side: -1,
            ignoreSelection: true,
            stopEvent: () => true,
          }),
        ]);
      },
    },
    view: () => ({
      update(view, before) {
        const [now, then] = [key.getState(view.state), key.getState(before)];
        if (now && then && now.state !== then.state) now.onState(now.state);
      },
    }),
  });

const activeSuggestion = (state: EditorState): ActiveSuggestion | null => key.getState(state) ?? null;

function endOfBlock({ doc }: EditorState, position: number): number {
  const $at = doc.resolve(position);
  return $at.depth === 0 ? position : $at.after(1);
}

function blocksIn(doc: Node, { from, to }: Passage): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  doc.forEach((node, offset) => {
    if (offset >= from && offset + node.nodeSize <= to)
      found.push({ from: offset, to: offset + node.nodeSize });
  });
  return found;
}

/** Highlights the passage. @returns the element for its suggestion */
export function openSuggestion(
  view: EditorView,
  {
    passage,
    follows,
    state = 'same',
    onState,
  }: Pick<ActiveSuggestion, 'passage' | 'follows' | 'onState'> & { state?: PassageState },
): HTMLElement {
  const host = document.createElement('div');
  host.contentEditable = 'false';
  host.className = 'suggestion';
  const original = view.state.doc.slice(passage.from, passage.to);
  const id = crypto.randomUUID();
  host.id = `suggestion-${id}`;
  const suggestion: ActiveSuggestion = { id, passage, follows, original, host, removed: [], state, onState };
  view.dispatch(view.state.tr.setMeta(key, suggestion).setMeta('addToHistory', false));
  return host;
}

export function closeSuggestion(view: EditorView): void {
  if (!view.isDestroyed && activeSuggestion(view.state))
    view.dispatch(view.state.tr.setMeta(key, null).setMeta('addToHistory', false));
}

/** The passage with its current range; null if it was deleted or no suggestion is open. */
export function currentPassage(state: EditorState): Passage | null {
  const suggestion = activeSuggestion(state);
  return suggestion === null || suggestion.state === 'deleted' ? null : suggestion.passage;
}

/** Marks removed words in the passage and added words in the rendered suggestion. */
export function markChanges(view: EditorView, element: HTMLElement): void {
  const suggestion = activeSuggestion(view.state);
  if (suggestion?.state !== 'same' || suggestion.follows) return;
  const { from, to } = suggestion.passage;
  const old = passageText(view.state.doc, from, to);
  const fresh = renderedText(element);
  const changes = changedWords(old.text, fresh.text);
  if (changes === null) return;
  const removed = changes.removed.flatMap((range) => old.ranges(range));
  view.dispatch(view.state.tr.setMeta(key, { ...suggestion, removed }).setMeta('addToHistory', false));
  // Wrapping splits text nodes, so start at the end to keep earlier offsets valid.
  for (const range of changes.added.toReversed()) fresh.wrap(range);
}

interface Range {
  from: number;
  to: number;
}

/** The text of a range, one line per block, with a function that converts a range of that text to document ranges. */
function passageText(doc: Node, from: number, to: number) {
  const pieces: { offset: number; position: number; length: number }[] = [];
  let text = '';
  let block: Node | null = null;
  doc.nodesBetween(from, to, (node, position, parent) => {
    if (!node.isText || node.text === undefined) return true;
    if (block !== null && parent !== block) text += '\n';
    block = parent;
    const start = Math.max(from, position);
    const words = node.text.slice(start - position, to - position);
    pieces.push({ offset: text.length, position: start, length: words.length });
    text += words;
    return false;
  });
  return {
    text,
    ranges: (range: Range): Range[] =>
      pieces.flatMap(({ offset, position, length }) => {
        const [start, end] = [Math.max(range.from, offset), Math.min(range.to, offset + length)];
        return start < end ? [{ from: position + start - offset, to: position + end - offset }] : [];
      }),
  };
}

const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, td, th, pre, blockquote, div';

/** The text of rendered Markdown, one line per block, with a function that wraps a range of that text in `<ins>`. */
function renderedText(element: HTMLElement) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: { offset: number; node: Text }[] = [];
  let text = '';
  let block: Element | null = null;
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    const around = node.parentElement?.closest(BLOCKS) ?? null;
    // Skip white space between block elements, which is not part of the text.
    if (node.data.trim() === '' && (around === null || around.querySelector(BLOCKS) !== null)) continue;
    if (block !== null && around !== block) text += '\n';
    block = around;
    pieces.push({ offset: text.length, node });
    text += node.data;
  }
  return {
    text,
    wrap({ from, to }: Range): void {
      for (const { offset, node } of pieces.toReversed()) {
        const [start, end] = [Math.max(from, offset), Math.min(to, offset + node.data.length)];
        if (start >= end || node.data.slice(start - offset, end - offset).trim() === '') continue;
        const words = document.createRange();
        words.setStart(node, start - offset);
        words.setEnd(node, end - offset);
        words.surroundContents(document.createElement('ins'));
      }
    },
  };
}

/**
 * Applies the suggestion as one undo step and puts the cursor at its end.
 * @returns false if the passage was deleted or the suggestion is empty
 */
export function acceptSuggestion(view: EditorView, markdown: string): boolean {
  const suggestion = activeSuggestion(view.state);
  const blocks = readBlocks(markdown);
  if (suggestion === null || suggestion.state === 'deleted' || blocks.length === 0) return false;
  const { from, to, isInline } = suggestion.passage;
  const transaction = closeHistory(view.state.tr).setMeta(key, null);
  if (suggestion.follows) transaction.insert(to, blocks);
  else if (isInline) transaction.replaceWith(from, to, inlineContent(blocks));
  else transaction.replaceWith(from, to, blocks);
  const end = transaction.mapping.map(to);
  transaction.setSelection(
    TextSelection.near(transaction.doc.resolve(Math.min(end, transaction.doc.content.size)), -1),
  );
  view.dispatch(transaction.scrollIntoView());
  // So that the next input is a separate undo step.
  view.dispatch(closeHistory(view.state.tr));
  view.focus();
  return true;
}
