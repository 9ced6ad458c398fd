import { TextSelection, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { schema } from '../document/schema';

export interface Heading {
  text: string;
  level: number;
  /** Document position of the start of the heading's text. */
  position: number;
}

export function headingsOf(state: EditorState | undefined): Heading[] {
  const headings: Heading[] = [];
  state?.doc.descendants((node, position) => {
    if (node.type === schema.nodes.heading && node.textContent.trim() !== '')
      headings.push({
        text: node.textContent,
        level: Number(node.attrs['level']),
        position: position + 1,
      });
    return !node.isTextblock;
  });
  return headings;
}

export function goTo(view: EditorView, position: number): void {
  const at = view.state.doc.resolve(position);
  view.dispatch(view.state.tr.setSelection(TextSelection.near(at)).scrollIntoView());
}
