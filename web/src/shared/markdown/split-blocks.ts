const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
/** A link or footnote definition. Definitions apply to the whole text, so a text with definitions is not split. */
const DEFINITION = /^ {0,3}\[[^\]]{1,999}\]:/m;

/**
 * Splits Markdown into blocks that can be rendered separately. The joined blocks equal the text. When text is appended, only
 * the last two blocks can change.
 */
export function splitBlocks(text: string): string[] {
  if (DEFINITION.test(text)) return [text];
  const blocks: string[] = [];
  let block = '';
  let fence: string | null = null;
  let blank = false;

  for (const line of text.split(/(?<=\n)/)) {
    const marks = FENCE.exec(line)?.[1];
    const belongs =
      fence !== null || !blank || /^\s/.test(line) || (LIST_ITEM.test(block) && LIST_ITEM.test(line));
    if (!belongs && block.trim() !== '') {
      blocks.push(block);
      block = '';
    }
    block += line;
    blank = fence === null && line.trim() === '';
    if (marks === undefined) continue;
    if (fence === null) fence = marks;
    else if (marks.startsWith(fence) && line.trim() === marks) fence = null;
  }
  if (block !== '') blocks.push(block);
  return blocks;
}
