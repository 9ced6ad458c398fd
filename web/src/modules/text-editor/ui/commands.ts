import {
  baseKeymap,
  chainCommands,
  exitCode,
  lift,
  setBlockType,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands';
import { closeHistory, redo, undo } from 'prosemirror-history';
import { InputRule, inputRules, textblockTypeInputRule, undoInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import {
  Fragment,
  type Attrs,
  type MarkType,
  type Node,
  type NodeType,
  type ResolvedPos,
} from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import {
  Plugin,
  Selection,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from 'prosemirror-state';
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables';
import { canJoin, findWrapping } from 'prosemirror-transform';
import { formulaOf, type Formula } from '../document/formula';
import { schema } from '../document/schema';

const { nodes, marks } = schema;
const item = nodes.list_item;

export const headingLevels = [1, 2, 3, 4] as const;

export const toParagraph = setBlockType(nodes.paragraph);
export const toHeading = (level: number) => setBlockType(nodes.heading, { level });
export const toCode = setBlockType(nodes.code_block);
export const toDiagram = setBlockType(nodes.code_block, { lang: 'mermaid' });
export const toggleStrong = toggleMark(marks.strong);
export const toggleEmphasis = toggleMark(marks.em);
export const toggleStrike = toggleMark(marks.strike);
export const toggleCode = toggleMark(marks.code);

/** The nearest ancestor with one of these types, and its depth; null if there is none. */
function around($pos: ResolvedPos, types: readonly NodeType[]) {
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const node = $pos.node(depth);
    if (types.includes(node.type)) return { node, depth };
  }
  return null;
}

/**
 * Wraps the selected blocks in a list of this type. Blocks in a list of another type change its type; blocks in a list of
 * this type are unwrapped.
 */
function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const list = around($from, [nodes.bullet_list, nodes.ordered_list]);
    if (list === null) return wrapInList(type)(state, dispatch);
    if (list.node.type === type) return liftListItem(item)(state, dispatch);
    dispatch?.(
      state.tr.setNodeMarkup($from.before(list.depth), type, {
        spread: list.node.attrs['spread'] as boolean,
      }),
    );
    return true;
  };
}
export const toggleBullets = toggleList(nodes.bullet_list);
export const toggleNumbers = toggleList(nodes.ordered_list);

export const toggleTask: Command = (state, dispatch) => {
  const found = around(state.selection.$from, [item]);
  if (found === null) return false;
  const checked = found.node.attrs['checked'] === null ? false : null;
  dispatch?.(state.tr.setNodeAttribute(state.selection.$from.before(found.depth), 'checked', checked));
  return true;
};

const tickTask: Command = (state, dispatch) => {
  const found = around(state.selection.$from, [item]);
  if (found === null || found.node.attrs['checked'] === null) return false;
  const position = state.selection.$from.before(found.depth);
  dispatch?.(state.tr.setNodeAttribute(position, 'checked', found.node.attrs['checked'] !== true));
  return true;
};

/** Runs two commands as one transaction. */
export const runBoth =
  (first: Command, second: Command): Command =>
  (state, dispatch) => {
    if (!dispatch) return first(state);
    let tr: Transaction | undefined;
    first(state, (own) => (tr = own));
    const combined = tr;
    if (combined === undefined) return false;
    const done = second(state.apply(combined), (own) => {
      for (const step of own.steps) combined.step(step);
      combined.setSelection(Selection.fromJSON(combined.doc, own.selection.toJSON()));
    });
    if (done) dispatch(combined.scrollIntoView());
    return done;
  };

/** Makes the selected list items tasks, or wraps the selected blocks in a task list. */
export const toTasks: Command = (state, dispatch) =>
  (around(state.selection.$from, [item]) === null ? runBoth(toggleBullets, toggleTask) : toggleTask)(
    state,
    dispatch,
  );

export const deleteRange =
  (from: number, to: number): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.delete(from, to));
    return true;
  };

/** @param src a same-origin path */
export const insertImage =
  (src: string, alt: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodes.image.create({ src, alt }), false).scrollIntoView());
    return true;
  };

function positionOf(node: Node, doc: Node): number {
  let found = 0;
  doc.descendants((other, position) => {
    if (other === node) found = position;
    return found === 0;
  });
  return found;
}

/** Moves the cursor to an empty paragraph after a block without text, since a typed letter replaces a selected block. */
function moveCursorAfter(tr: Transaction, block: Node): Transaction {
  const end = positionOf(block, tr.doc) + block.nodeSize;
  const next = tr.doc.resolve(end).nodeAfter;
  if (next?.type !== nodes.paragraph || next.childCount > 0) tr.insert(end, nodes.paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, end + 1));
}

/** Inserts a formula in place of the selection, which can be a formula, or of the line that opens one. */
export const insertFormula =
  (formula: Formula, isBlock: boolean): Command =>
  (state, dispatch) => {
    const node = isBlock ? nodes.math_block.create({ ...formula }) : nodes.math.create({ ...formula });
    const tr = closeHistory(state.tr);
    if (opensFormula(state)) tr.delete(state.selection.$head.start(), state.selection.head);
    tr.replaceSelectionWith(node, !isBlock);
    dispatch?.((isBlock ? moveCursorAfter(tr, node) : tr).scrollIntoView());
    return true;
  };

/** Inserts blocks after the block of the cursor, or in its place if it is empty. */
export const insertBlocks =
  (blocks: readonly Node[]): Command =>
  (state, dispatch) => {
    const { $to } = state.selection;
    const block = $to.depth === 0 ? null : $to.node(1);
    const isEmpty = block?.type === nodes.paragraph && block.childCount === 0;
    const end = block === null ? state.selection.to : $to.after(1);
    const from = isEmpty ? $to.before(1) : end;
    const tr = state.tr.replaceWith(from, end, blocks);
    const after = Math.min(from + Fragment.from(blocks).size, tr.doc.content.size);
    dispatch?.(
      closeHistory(tr)
        .setSelection(Selection.near(tr.doc.resolve(after), -1))
        .scrollIntoView(),
    );
    return true;
  };

export const toggleQuote: Command = (state, dispatch) =>
  around(state.selection.$from, [nodes.blockquote]) === null
    ? wrapIn(nodes.blockquote)(state, dispatch)
    : lift(state, dispatch);

export const insertRule: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const rule = nodes.horizontal_rule.create();
  dispatch?.(moveCursorAfter(state.tr.replaceSelectionWith(rule), rule).scrollIntoView());
  return true;
};

/** Inserts a table of three columns and selects the first header. */
export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const columns = [1, 2, 3];
  const cell = (type: NodeType, text?: string) =>
    type.create(null, nodes.paragraph.create(null, text === undefined ? null : schema.text(text)));
  const blank = () =>
    nodes.table_row.create(
      null,
      columns.map(() => cell(nodes.table_cell)),
    );
  const head = nodes.table_row.create(
    null,
    columns.map((number) => cell(nodes.table_header, `Column ${number}`)),
  );
  const table = nodes.table.create(null, [head, blank(), blank()]);
  const tr = state.tr.replaceSelectionWith(table);
  const start = TextSelection.near(tr.doc.resolve(positionOf(table, tr.doc) + 1));
  tr.setSelection(TextSelection.create(tr.doc, start.from, start.$from.end()));
  dispatch?.(tr.scrollIntoView());
  return true;
};

export function linkAt({ doc, selection: { $from, from, to } }: EditorState) {
  const link = marks.link.isInSet($from.marksAcross(doc.resolve(to)) ?? $from.marks());
  if (!link) return null;
  let [start, end] = [from, to];
  $from.parent.forEach((node, offset) => {
    const position = $from.start() + offset;
    if (position <= from && from <= position + node.nodeSize && link.isInSet(node.marks))
      [start, end] = [Math.min(start, position), Math.max(end, position + node.nodeSize)];
  });
  return { href: String(link.attrs['href']), from: start, to: end };
}

/** Links the selection, or inserts the address as linked text if nothing is selected. An empty `href` removes the link. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const link = linkAt(state);
    const { from, to } = link ?? state.selection;
    const { tr } = state;
    if (from === to && href !== '') tr.insertText(href, from);
    const end = tr.mapping.map(to);
    tr.removeMark(from, end, marks.link);
    if (href !== '') tr.addMark(from, end, marks.link.create({ href }));
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

const breakLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** Splits a list item at the cursor. In a task list, the new item is an unchecked task. */
const splitItem: Command = (state, dispatch) => {
  const found = around(state.selection.$from, [item]);
  const isTask = found !== null && found.node.attrs['checked'] !== null;
  return splitListItem(item, { checked: isTask ? false : null })(state, dispatch);
};

const FENCE = '```([\\w+#.-]*)';
const codeAttrs = ([, lang = '']: RegExpMatchArray): Attrs => ({ lang: lang.toLowerCase() || null });

/** The match of a pattern with the paragraph of the cursor, if the cursor is at its end; null if there is none. */
function matchLine(state: EditorState, pattern: RegExp): RegExpExecArray | null {
  const { $head, empty } = state.selection;
  const isAtEnd = empty && $head.pos === $head.end();
  if (!isAtEnd || $head.parent.type !== nodes.paragraph || isInTable(state)) return null;
  return pattern.exec($head.parent.textContent);
}

/** True if the line of the cursor is the opening delimiter of a formula block. */
export const opensFormula = (state: EditorState): boolean => matchLine(state, /^(?:\$\$|\\\[)$/) !== null;

/** Converts a line such as "```mermaid" to a code block. */
const openCode: Command = (state, dispatch) => {
  const fence = matchLine(state, new RegExp(`^${FENCE}$`));
  if (fence === null) return false;
  const { $head } = state.selection;
  const start = $head.start();
  dispatch?.(
    state.tr.delete(start, $head.pos).setBlockType(start, start, nodes.code_block, codeAttrs(fence)),
  );
  return true;
};

/** Inserts a line break in a table cell, which can have only one paragraph. */
const breakInCell: Command = (state, dispatch) => isInTable(state) && breakLine(state, dispatch);

/** Adds a row below the last cell of a table and puts the cursor into it. */
const continueTable: Command = (state, dispatch) =>
  isInTable(state) && runBoth(addRowAfter, goToNextCell(1))(state, dispatch);

/** The base keys without Escape, which closes the editor. */
const { Escape: _, ...baseKeys } = baseKeymap;

export const textKeys = (): Plugin[] => [
  keymap({
    'Mod-z': undo,
    'Shift-Mod-z': redo,
    'Mod-y': redo,
    'Mod-b': toggleStrong,
    'Mod-i': toggleEmphasis,
    'Mod-e': toggleCode,
    'Mod-u': toggleMark(marks.underline),
    'Mod-.': toggleMark(marks.superscript),
    'Mod-,': toggleMark(marks.subscript),
    'Shift-Mod-h': toggleMark(marks.highlight),
    'Shift-Mod-x': toggleStrike,
    'Mod-Alt-0': toParagraph,
    ...Object.fromEntries(headingLevels.map((level) => [`Mod-Alt-${level}`, toHeading(level)])),
    'Shift-Mod-7': toggleNumbers,
    'Shift-Mod-8': toggleBullets,
    'Mod-Enter': tickTask,
    'Mod-]': sinkListItem(item),
    'Mod-[': liftListItem(item),
    Enter: chainCommands(breakInCell, openCode, splitItem),
    'Shift-Enter': chainCommands(exitCode, breakLine),
    Backspace: undoInputRule,
    // Outside lists and tables, these commands don't apply, so the browser moves the focus.
    Tab: chainCommands(goToNextCell(1), continueTable, sinkListItem(item)),
    'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(item)),
  }),
  keymap(baseKeys),
];

/** Keeps a paragraph after a last block that has no place for the cursor below it. */
export const lastParagraph = (): Plugin =>
  new Plugin({
    appendTransaction: (_, __, { doc, tr }) =>
      endsWithoutParagraph(doc) ? tr.insert(doc.content.size, nodes.paragraph.create()) : null,
  });
const endsWithoutParagraph = ({ lastChild }: Node) =>
  lastChild !== null &&
  [nodes.math_block, nodes.horizontal_rule, nodes.code_block, nodes.table].includes(lastChild.type);

/** Replaces delimited text, such as `**bold**`, by marked text once the closing delimiter is typed. */
function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(
    pattern,
    (state, match, start, end) => {
      const [whole, text = ''] = match;
      const from = start + (whole.length - whole.trimStart().length);
      const textStart = start + whole.indexOf(text, from - start);
      const textEnd = textStart + text.length;
      return state.tr
        .delete(textEnd, end)
        .addMark(textStart, textEnd, type.create())
        .delete(from, textStart)
        .removeStoredMark(type);
    },
    { inCodeMark: false },
  );
}

/** Links a typed web address when the user types a space after it. */
const addressRule = new InputRule(
  /(?:^|\s)(https?:\/\/[^\s<>]*[^\s<>.,;:!?)])\s$/,
  (state, match, _start, end) => {
    const address = match[1] ?? '';
    const from = end - address.length;
    return state.tr
      .addMark(from, end, marks.link.create({ href: address }))
      .insertText(' ', end)
      .removeMark(end, end + 1, marks.link);
  },
);

/** Typesets a typed formula. After a digit, as in `$5-$10`, it waits for a character that shows that it is no price. */
const formulaRule = (pattern: RegExp) =>
  new InputRule(
    pattern,
    (state, match, start, end) => {
      const [whole, source = '', after = ''] = match;
      const formula = formulaOf(source);
      if (formula === null) return null;
      const from = start + whole.indexOf(source);
      const { $from } = state.selection;
      const isBlock = formula.display && whole === source && $from.parent.textContent.length === end - start;
      if (isBlock && $from.parent.type === nodes.paragraph && !isInTable(state)) {
        const block = nodes.math_block.create({ ...formula });
        return moveCursorAfter(state.tr.replaceWith(start - 1, end + 1, block), block);
      }
      const tr = state.tr.replaceWith(from, end, nodes.math.create({ ...formula }));
      return after === '' ? tr : tr.insertText(after, from + 1);
    },
    { inCodeMark: false },
  );

const taskRule = new InputRule(/^\[([ x])\]\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  const found = around($start, [item]);
  if (found === null) return null;
  return state.tr
    .delete(start, end)
    .setNodeAttribute($start.before(found.depth), 'checked', match[1] === 'x');
});

/**
 * Wraps a paragraph that starts with the pattern, such as `> `, and joins the result to a preceding node of the same type.
 */
const wrapRule = (
  pattern: RegExp,
  type: NodeType,
  attrsOf: (match: RegExpMatchArray) => Attrs = () => ({}),
) =>
  new InputRule(pattern, (state, match, start, end) => {
    if (state.doc.resolve(start).parent.type !== nodes.paragraph) return null;
    const tr = state.tr.delete(start, end);
    const range = tr.doc.resolve(start).blockRange();
    const wrapping = range && findWrapping(range, type, attrsOf(match));
    if (!range || !wrapping) return null;
    tr.wrap(range, wrapping);
    const before = tr.doc.resolve(start - 1).nodeBefore;
    return before?.type === type && canJoin(tr.doc, start - 1) ? tr.join(start - 1) : tr;
  });

/** Converts Markdown syntax to formatting while the user types. */
export const markdownShortcuts = (): Plugin =>
  inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({ level: match[1]?.length ?? 2 })),
      textblockTypeInputRule(new RegExp(`^${FENCE}\\s$`), nodes.code_block, codeAttrs),
      wrapRule(/^\s*>\s$/, nodes.blockquote),
      wrapRule(/^\s*([-+*])\s$/, nodes.bullet_list),
      wrapRule(/^(\d{1,9})[.)]\s$/, nodes.ordered_list, (match) => ({ start: Number(match[1]) })),
      taskRule,
      formulaRule(/(?<![\w$\\])(\$(?![\d\s$])[^$]*[^\s$\\]\$)$/),
      formulaRule(/(?<![\w$\\])(\$\d(?:[^$]*[^\s$\\])?\$)([\s.,;:!?)])$/),
      formulaRule(/(?<![\w$\\])(\$\$[^$]+\$\$)$/),
      formulaRule(/(?<!\\)(\\\(.+\\\))$/),
      formulaRule(/(?<!\\)(\\\[.+\\\])$/),
      markRule(/\*\*([^*\s][^*]*)\*\*$/, marks.strong),
      markRule(/(?:^|\s)\*([^*\s][^*]*)\*$/, marks.em),
      markRule(/(?:^|\s)_([^_\s][^_]*)_$/, marks.em),
      markRule(/~~([^~\s][^~]*)~~$/, marks.strike),
      markRule(/`([^`\s][^`]*)`$/, marks.code),
      addressRule,
    ],
  });
