import { redoDepth, undoDepth } from 'prosemirror-history';
import type { MarkType } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { schema } from '../document/schema';

const { nodes, marks } = schema;

/** The formatting at the cursor. The toolbar shows these as pressed buttons. */
export interface ToolState {
  block: string;
  strong: boolean;
  emphasis: boolean;
  strike: boolean;
  code: boolean;
  link: boolean;
  bullets: boolean;
  numbers: boolean;
  task: boolean;
  quote: boolean;
  table: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

export function toolState(state: EditorState): ToolState {
  const { $from, from, to, empty } = state.selection;
  const parent = $from.parent;
  const has = (type: MarkType) =>
    empty
      ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
      : state.doc.rangeHasMark(from, to, type);
  const around = Array.from({ length: $from.depth }, (_, index) => $from.node(index + 1)).reverse();
  const list = around.find(({ type }) => type === nodes.bullet_list || type === nodes.ordered_list);
  const item = around.find(({ type }) => type === nodes.list_item);
  return {
    block: blockName(parent.type.name, Number(parent.attrs['level'])),
    strong: has(marks.strong),
    emphasis: has(marks.em),
    strike: has(marks.strike),
    code: has(marks.code),
    link: has(marks.link),
    bullets: list?.type === nodes.bullet_list,
    numbers: list?.type === nodes.ordered_list,
    task: item !== undefined && item.attrs['checked'] !== null,
    quote: around.some(({ type }) => type === nodes.blockquote),
    table: isInTable(state),
    canUndo: Number(undoDepth(state)) > 0,
    canRedo: Number(redoDepth(state)) > 0,
  };
}

function blockName(type: string, level: number): string {
  switch (type) {
    case 'heading':
      return `Heading ${level}`;
    case 'code_block':
      return 'Code';
    case 'math_block':
      return 'Formula';
    case 'raw_block':
      return 'Markdown';
    default:
      return 'Text';
  }
}

export const isSameToolState = (one: ToolState, other: ToolState) =>
  (Object.keys(one) as (keyof ToolState)[]).every((key) => one[key] === other[key]);
