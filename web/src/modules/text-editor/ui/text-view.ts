import { diffArrays } from 'diff';
import { history } from 'prosemirror-history';
import { Fragment, Slice, type Node } from 'prosemirror-model';
import { search } from 'prosemirror-search';
import { EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { hasTooManyFormulas } from '#libs/contract/markdown-math.js';
import { withoutControls } from '#libs/contract/text.js';
import { hasLongWord } from '../../../shared/markdown/long-words';
import { isOwnImage } from '../../../shared/markdown/own-image';
import { countLetters } from '../document/click-position';
import { cleanPaste } from '../document/clean-paste';
import { MarkdownText } from '../document/markdown-text';
import { readText } from '../document/paste-text';
import { schema } from '../document/schema';
import { suggestionPlugin } from '../rewriting/suggestion-plugin';
import { lastParagraph, markdownShortcuts, opensFormula, textKeys } from './commands';
import { codeView } from './code-view';
import { directions } from './directions';
import { formulaViews } from './formula-view';
import { slashMenu, slashMenuOf, type SlashMenuState } from './slash-plugin';
import type { SlashItem } from './slash-items';

const { nodes } = schema;

export interface TextViewOptions {
  text: string;
  /** @param changed true if the text changed, false if only the selection did */
  onUpdate: (state: EditorState, changed: boolean) => void;
  onKey: (event: KeyboardEvent) => boolean;
  onSlashItem: (item: SlashItem, menu: SlashMenuState) => void;
  /** Called when the user opens the selected formula, or a new one. */
  onFormula: () => void;
  /** Called when the user drops files. */
  onFiles: (files: FileList) => void;
}

/** Characters from which on the browser lays out only the blocks on the screen. */
const LONG_TEXT = 60_000;

/** Pixels that sticky bars (top) and the job tray (bottom) can cover. The editor scrolls to keep the cursor clear of them. */
export const scrollRoom = { top: 200, right: 0, bottom: 96, left: 0 };

/** Blocks that were checked for long words; a changed block is another node. */
const checkedBlocks = new WeakMap<Node, boolean>();

function hasLongWordIn(block: Node): boolean {
  const found = checkedBlocks.get(block) ?? hasLongWord(block.textBetween(0, block.content.size, ' ', ' '));
  checkedBlocks.set(block, found);
  return found;
}

export class TextView {
  readonly view: EditorView;
  private readonly markdown = new MarkdownText();
  private written: { doc: Node; text: string } | null = null;

  constructor(
    place: HTMLElement,
    { text, onUpdate, onKey, onSlashItem, onFormula, onFiles }: TextViewOptions,
  ) {
    const plugins = [
      slashMenu(onSlashItem),
      markdownShortcuts(),
      lastParagraph(),
      ...textKeys(),
      history(),
      tableEditing(),
      search(),
      directions(),
      suggestionPlugin(),
    ];
    const read = EditorState.create({ doc: this.markdown.read(text), plugins });
    this.view = new EditorView(place, {
      // The empty transaction adds the last paragraph, which is no step to undo.
      state: read.apply(read.tr.setMeta('addToHistory', false)),
      attributes: ({ doc }) => ({
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Text',
        spellcheck: 'true',
        ...(text.length > LONG_TEXT && { 'data-long': '' }),
        ...(doc.children.some(hasLongWordIn) && { 'data-long-words': 'true' }),
      }),
      scrollMargin: scrollRoom,
      scrollThreshold: scrollRoom,
      // ProseMirror calls this before the plugins. While the slash menu is open, its plugin handles the keys.
      handleKeyDown: (view, event) => {
        // The state's selection can be outdated, and Enter would then replace the wrong text.
        if (view.hasFocus() && !view.composing && !event.isComposing) this.readSelection();
        if (slashMenuOf(view.state) !== null) return false;
        if (isPlainEnter(event) && (selectedFormula(view.state) !== null || opensFormula(view.state))) {
          onFormula();
          return true;
        }
        return onKey(event);
      },
      transformPastedHTML: (html) => cleanPaste(withoutControls(html)),
      clipboardTextParser: (pasted, { parent, depth }, _, { state: { selection } }) => {
        const isInWords = parent.isTextblock && selection.to - selection.from < parent.content.size;
        const slice = Slice.maxOpen(Fragment.from(readText(withoutControls(pasted), isInWords)), false);
        // The first item of a list would lose its number to the sentence.
        const isApart = isInWords && depth === 1 && slice.content.firstChild?.type.name.endsWith('_list');
        return isApart ? new Slice(slice.content, 0, slice.openEnd) : slice;
      },
      clipboardTextSerializer: ({ content }) => new MarkdownText().write(asDocument(content)).trimEnd(),
      // Too many formulas would freeze the page, so they are shown as Markdown.
      nodeViews: { code_block: codeView, ...(!hasTooManyFormulas(text) && formulaViews) },
      handleDrop: (view, event) => {
        const files = event.dataTransfer?.files;
        // Browsers add a file to an image that is dragged within the text.
        if (files === undefined || files.length === 0 || view.dragging !== null) return false;
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (place !== null)
          view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(place.pos))));
        onFiles(files);
        return true;
      },
      handleDoubleClickOn: (view, _position, node) => {
        if (node.type !== nodes.math && node.type !== nodes.math_block) return false;
        if (selectedFormula(view.state) !== null) onFormula();
        return true;
      },
      handleClickOn: (view, _position, node, position, event) => {
        if (node.type !== nodes.list_item || !(event.target instanceof HTMLInputElement)) return false;
        event.preventDefault();
        view.dispatch(view.state.tr.setNodeAttribute(position, 'checked', node.attrs['checked'] !== true));
        return true;
      },
      dispatchTransaction: (transaction) => {
        this.view.updateState(this.view.state.apply(transaction));
        onUpdate(this.view.state, transaction.docChanged);
      },
    });
  }

  /** The document as Markdown; null during IME composition, when the document is incomplete. */
  read(): string | null {
    if (this.view.composing) return null;
    const { doc } = this.view.state;
    if (this.written?.doc !== doc) this.written = { doc, text: this.markdown.write(doc) };
    return this.written.text;
  }

  /** Replaces the text without an undo step. Blocks that don't change keep the cursor. */
  adopt(text: string): void {
    // The state's selection can be outdated, and the update would write it to the page.
    this.readSelection();
    const { state } = this.view;
    const { tr } = state;
    const next = this.markdown.read(text);
    let position = 0;
    const parts = diffArrays([...state.doc.children], [...next.children], {
      comparator: (one, other) => one.eq(other),
    });
    const read = [...next.children];
    for (let index = 0; index < parts.length; index += 1) {
      const { value, removed, added } = parts[index] ?? { value: [] };
      if (!removed && !added) {
        // `value` has either the old or the new nodes, so take each from its own document.
        for (const block of value) {
          const unchanged = tr.doc.resolve(position).nodeAfter;
          const equal = read.shift();
          if (unchanged !== null && equal !== undefined) this.markdown.replaceOrigin(unchanged, equal);
          position += block.nodeSize;
        }
        continue;
      }
      const following = parts[index + 1];
      const oldBlocks = removed ? value : [];
      const newBlocks = added ? value : following?.added ? following.value : [];
      if (removed && following?.added) index += 1;
      read.splice(0, newBlocks.length);
      // Markdown has no empty paragraphs, so the new text never has them. Keep those that the user has just inserted.
      if (newBlocks.length === 0 && oldBlocks.every(isEmptyParagraph)) {
        position += Fragment.from(oldBlocks).size;
        continue;
      }
      position = replaceBlocks(tr, position, Fragment.from(oldBlocks), Fragment.from(newBlocks));
    }
    if (this.markdown.write(tr.doc) !== text) tr.replaceWith(0, tr.doc.content.size, next.content);
    this.view.dispatch(tr.setMeta('addToHistory', false));
  }

  focus(): void {
    this.view.focus();
  }

  /** Copies the DOM selection to the state, since the `selectionchange` event can arrive after the next key event. */
  readSelection(): void {
    const { dom, state } = this.view;
    const selected = document.getSelection();
    const isInText = dom.contains(selected?.anchorNode ?? null) && dom.contains(selected?.focusNode ?? null);
    if (
      !selected?.anchorNode ||
      !selected.focusNode ||
      !isInText ||
      !(state.selection instanceof TextSelection)
    )
      return;
    const anchor = this.view.posAtDOM(selected.anchorNode, selected.anchorOffset, 1);
    const head = this.view.posAtDOM(selected.focusNode, selected.focusOffset, 1);
    const selection = TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head));
    if (!selection.eq(state.selection)) this.view.dispatch(state.tr.setSelection(selection));
  }

  /** Focuses the text, without scrolling, and puts the cursor after this number of non-space characters. */
  start(letters = 0): void {
    const { state } = this.view;
    const place = state.doc.resolve(positionAfter(letters, state.doc));
    this.view.dispatch(state.tr.setSelection(Selection.near(place)));
    this.view.dom.focus({ preventScroll: true });
    this.view.focus();
  }

  /** Scrolls so that the line of the cursor is `top` pixels below the top of the viewport. */
  scrollTo(top: number): void {
    const line = this.view.coordsAtPos(this.view.state.selection.head);
    window.scrollBy({ top: line.top - top, behavior: 'instant' });
  }

  destroy(): void {
    this.view.destroy();
  }
}

/** The document position after a number of non-space characters of the rendered text. */
function positionAfter(letters: number, doc: Node): number {
  let left = letters;
  let found = 0;
  doc.descendants((node, position) => {
    if (left <= 0) return false;
    if (node.type === nodes.image && !isOwnImage(String(node.attrs['src'])))
      left -= countLetters(String(node.attrs['alt']) || 'Image');
    const text = node.text ?? '';
    for (let index = 0; index < text.length && left > 0; index += 1) {
      if (/\S/.test(text.charAt(index))) left -= 1;
      found = position + index + 1;
    }
    return true;
  });
  return found;
}

/** The formula that is selected; null if none is. */
export function selectedFormula({
  selection,
}: EditorState): { tex: string; display: boolean; inLine: boolean } | null {
  const node = selection instanceof NodeSelection ? selection.node : null;
  if (node === null || (node.type !== nodes.math && node.type !== nodes.math_block)) return null;
  const inLine = node.type === nodes.math;
  return { tex: String(node.attrs['tex']), display: !inLine || node.attrs['display'] === true, inLine };
}

const isPlainEnter = ({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !ctrlKey && !metaKey && !altKey && !isComposing;

const isEmptyParagraph = (node: Node) => node.type === nodes.paragraph && node.childCount === 0;

/** Replaces blocks, but changes only the range in which old and new blocks differ. @returns the end of the new blocks */
function replaceBlocks(
  tr: EditorState['tr'],
  position: number,
  oldBlocks: Fragment,
  newBlocks: Fragment,
): number {
  const start = oldBlocks.findDiffStart(newBlocks);
  const ends = oldBlocks.findDiffEnd(newBlocks);
  if (start === null || ends === null) return position + newBlocks.size;
  let { a, b } = ends;
  const overlap = start - Math.min(a, b);
  if (overlap > 0) [a, b] = [a + overlap, b + overlap];
  const doc = nodes.doc.create(null, newBlocks);
  const isWhole = oldBlocks.size === 0 || newBlocks.size === 0;
  if (isWhole) tr.replaceWith(position, position + oldBlocks.size, newBlocks);
  else tr.replace(position + start, position + a, doc.slice(start, b));
  return position + newBlocks.size;
}

/** Wraps copied content in a document. Text from within one block is put into a paragraph first. */
const asDocument = (content: Fragment) =>
  nodes.doc.create(null, content.firstChild?.isInline ? nodes.paragraph.create(null, content) : content);
