import { isHistoryTransaction } from 'prosemirror-history';
import { Plugin, PluginKey, type EditorState, type Transaction } from 'prosemirror-state';
import { slashItems, type SlashItem } from './slash-items';

/** State of the menu that opens when the user types `/`. `from` and `to` enclose the slash and the text typed after it. */
export interface SlashMenuState {
  from: number;
  to: number;
  /** The items to choose from; never empty, since the menu closes when nothing matches. */
  items: readonly SlashItem[];
  active: number;
}

const key = new PluginKey<SlashMenuState | null>('slash-menu');

export const slashMenuOf = (state: EditorState): SlashMenuState | null => key.getState(state) ?? null;

/** The text between the `/` at `from` and the cursor; null if the cursor has left that word. */
function typedAfter(from: number, { selection: { $from, empty } }: EditorState): string | null {
  if (!empty || $from.parent.type.spec.code || from < $from.start() || from >= $from.pos) return null;
  const text = $from.parent.textBetween(from - $from.start(), $from.parentOffset, undefined, ' ');
  return /^\/[^\s/]*$/.test(text) ? text.slice(1) : null;
}

function openAt(from: number, state: EditorState, before: SlashMenuState | null): SlashMenuState | null {
  const typed = typedAfter(from, state);
  const items = typed === null ? [] : slashItems(typed, state);
  if (items.length === 0) return null;
  const { pos: to } = state.selection.$from;
  // When the user types or deletes a character, the first item becomes active again.
  const isSame = before !== null && before.to === to;
  return { from, to, items, active: isSame ? Math.min(before.active, items.length - 1) : 0 };
}

const cursorOf = ({ selection }: EditorState) => selection.$from.pos;

/**
 * True if the transaction inserted a typed `/` at the start of a word. Checks the document, not key events, since phone
 * keyboards may insert text by composition without a key event.
 */
function wasSlashTyped(transaction: Transaction, state: EditorState): boolean {
  const { $from, empty } = state.selection;
  const isElsewhere =
    isHistoryTransaction(transaction) ||
    transaction.getMeta('addToHistory') === false ||
    transaction.getMeta('uiEvent') !== undefined;
  if (isElsewhere || !empty || $from.parent.type.spec.code || !wasInsertedBefore(transaction, $from.pos))
    return false;
  const { parent, parentOffset } = $from;
  return /^\s?\/$/.test(parent.textBetween(Math.max(0, parentOffset - 2), parentOffset, undefined, ' '));
}

function wasInsertedBefore({ mapping }: Transaction, position: number): boolean {
  let found = false;
  mapping.maps.at(-1)?.forEach((_start, _end, from, to) => (found ||= from < to && to === position));
  return found;
}

export const slashMenu = (onChoose: (item: SlashItem, menu: SlashMenuState) => void): Plugin =>
  new Plugin<SlashMenuState | null>({
    key,
    state: {
      init: () => null,
      apply(transaction, menu, _before, state) {
        const next = transaction.getMeta(key) as SlashMenuState | null | undefined;
        if (next !== undefined) return next;
        if (menu === null)
          return wasSlashTyped(transaction, state) ? openAt(cursorOf(state) - 1, state, null) : null;
        if (!transaction.docChanged && !transaction.selectionSet) return menu;
        return openAt(transaction.mapping.map(menu.from, -1), state, menu);
      },
    },
    props: {
      handleDOMEvents: {
        blur: (view) => {
          if (slashMenuOf(view.state) !== null) view.dispatch(view.state.tr.setMeta(key, null));
        },
      },
      handleKeyDown(view, event) {
        const menu = slashMenuOf(view.state);
        if (menu === null || event.ctrlKey || event.metaKey || event.altKey) return false;
        const { items, active } = menu;
        const show = (next: SlashMenuState | null) => view.dispatch(view.state.tr.setMeta(key, next));
        const move = (by: number) => show({ ...menu, active: (active + by + items.length) % items.length });
        if (event.key === 'ArrowDown') move(1);
        else if (event.key === 'ArrowUp') move(-1);
        else if (event.key === 'Escape') show(null);
        else if (event.key === 'Enter' || event.key === 'Tab') onChoose(items[active]!, menu);
        else return false;
        return true;
      },
      attributes: (state): Record<string, string> => {
        const menu = slashMenuOf(state);
        return menu === null
          ? {}
          : { 'aria-controls': SLASH_LIST, 'aria-activedescendant': slashOption(menu.active) };
      },
    },
  });

export const SLASH_LIST = 'slash-menu';
export const slashOption = (index: number) => `${SLASH_LIST}-${index}`;
