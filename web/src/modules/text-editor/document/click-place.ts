/** Where a text was clicked, in a way that reading and editing it have in common. */
export interface ClickPlace {
  /** How many letters are before it; spaces are no letters. */
  letters: number;
  /** Where its line is on the screen, in pixels. */
  top: number;
}

interface Caret {
  node: Node;
  offset: number;
}

/** The place of a click in an element; null where there is no text. */
export function clickPlaceIn(
  element: Element,
  { clientX, clientY }: { clientX: number; clientY: number },
): ClickPlace | null {
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
