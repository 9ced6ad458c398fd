/** Position of a click in the rendered text. It counts characters, not nodes, so that the editor finds the same position. */
export interface ClickPosition {
  /** Number of characters before the click that are not white space. */
  letters: number;
  /** Distance from the top of the viewport to the clicked line, in pixels. */
  top: number;
}

interface Caret {
  node: Node;
  offset: number;
}

/** @returns null if the click was not on text */
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
  // In the editor's document, a formula has no text.
  const formula = caret.node.parentElement?.closest('.formula');
  if (formula) range.setEndBefore(formula);
  const before = range.cloneContents();
  for (const formulaBefore of before.querySelectorAll('.formula')) formulaBefore.remove();
  return { letters: countLetters(before.textContent ?? ''), top: top || clientY };
}

export const countLetters = (text: string): number => text.replace(/\s/g, '').length;

function caretAt(x: number, y: number): Caret | null {
  const position = document.caretPositionFromPoint?.(x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  // Safari before 18.4 lacks caretPositionFromPoint.
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}
