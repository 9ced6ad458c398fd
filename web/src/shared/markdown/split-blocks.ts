const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
/** Link and footnote definitions apply to the whole text, so such a text is not split. */
const DEFINITION = /^ {0,3}\[[^\]]{1,999}\]:/m;

/**
 * Splits Markdown into blocks that can be rendered separately; joined, they are the text. While a text grows, all but
 * the last two blocks stay the same.
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
