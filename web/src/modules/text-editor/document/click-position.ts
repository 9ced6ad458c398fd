/** The position of a click, valid in the rendered text and in the editor. */
export interface ClickPosition {
  /** The number of characters before it that are not white space. */
  letters: number;
  /** The top of its line in the viewport, in pixels. */
  top: number;
}

interface Caret {
  node: Node;
  offset: number;
}

/** Null if there is no text at the position. */
export function clickPositionIn(
  element: Element,
  { clientX, clientY }: { clientX: number; clientY: number },
): ClickPosition | null {
  const caret = caretAt(clientX, clientY);
  if (caret === null || !element.contains(caret.node)) return null;
  const range = document.createRange();
  range.setStart(caret.node, caret.offset);
  const { top } = range.getBoundingClientRect();
  range.setStart(element, 0);
  range.setEnd(caret.node, caret.offset);
  return { letters: countLetters(range.toString()), top: top || clientY };
}

export const countLetters = (text: string): number => text.replace(/\s/g, '').length;

function caretAt(x: number, y: number): Caret | null {
  const position = document.caretPositionFromPoint?.(x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  // Safari before 18.4.
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}
