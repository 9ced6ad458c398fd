import { findDateRanges } from '#libs/local-engine/resume/date-ranges.js';
import { BULLET, isBullet, type ResumeLine } from '#libs/local-engine/resume/resume.js';
import { sectionKind } from '#libs/local-engine/resume/sections.js';

/** A bullet or a paragraph of a resume, its wrapped lines joined by line breaks. */
export interface TextBlock {
  text: string;
  isBullet: boolean;
  lineAt: (offset: number) => ResumeLine;
}

/** Shorter lines are not wrapped. */
const SHORTEST_WRAPPED = 55;
/** The longest block, in characters. */
const LONGEST = 2_000;

export function textBlocks(lines: readonly ResumeLine[]): TextBlock[] {
  const blocks: ResumeLine[][] = [];
  let length = 0;
  for (const line of lines) {
    const before = blocks.at(-1)?.at(-1);
    if (before && length + line.text.length < LONGEST && runsOn(before, line)) blocks.at(-1)!.push(line);
    else {
      blocks.push([line]);
      length = 0;
    }
    length += line.text.length;
  }
  return blocks.map(toBlock);
}

function runsOn(before: ResumeLine, line: ResumeLine): boolean {
  if (isBullet(line) || before.page !== line.page || /[.!?:]$/.test(before.text)) return false;
  if (sectionKind(before.text) || sectionKind(line.text)) return false;
  if (!isBullet(before) && findDateRanges([before]).length > 0) return false;
  if (findDateRanges([line]).length > 0) return false;
  return /^[\p{Ll}(&]/u.test(line.text) || before.text.length >= SHORTEST_WRAPPED;
}

function toBlock(lines: ResumeLine[]): TextBlock {
  const starts: number[] = [];
  let text = '';
  for (const [index, line] of lines.entries()) {
    starts.push(text.length);
    text += (index > 0 ? line.text : line.text.replace(BULLET, '')) + (index < lines.length - 1 ? '\n' : '');
  }
  return {
    text,
    isBullet: isBullet(lines[0]!),
    lineAt: (offset) =>
      lines[
        Math.max(
          0,
          starts.findLastIndex((start) => start <= offset),
        )
      ]!,
  };
}
