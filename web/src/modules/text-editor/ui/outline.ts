import { TextSelection, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { schema } from '../document/schema';

interface Heading {
  text: string;
  level: number;
  /** Document position of the start of the heading's text. */
  position: number;
}

export function headingsOf(state: EditorState): Heading[] {
  const headings: Heading[] = [];
  state.doc.descendants((node, position) => {
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

/**
 * Puts the cursor at a heading and the heading `top` pixels below the top of the viewport. `scrollIntoView` of a transaction
 * does nothing while the selection of the page is outside of the text, as after a click on a menu.
 */
export function goTo(view: EditorView, position: number, top: number): void {
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(position))));
  window.scrollBy({ top: view.coordsAtPos(position).top - top, behavior: 'instant' });
}
