import type { UnsupportedFact, ResumeFacts, TextKind } from '../shared/resume-facts.js';

/** A line, or a "Before" and "After" pair of lines, with facts that the resume does not have. */
export interface RejectedLine {
  /** The model's text. */
  text: string;
  /** The unsupported words. */
  problems: string[];
}

interface Block {
  written: string;
  /** The text without unsupported facts; blank if nothing is left. */
  kept: string;
  rejected: RejectedLine | null;
}

/** Filters a streamed review: only lines that the resume supports are shown. */
export interface ReviewGuard {
  /** Adds a chunk of the model's answer and returns the checked text that can be appended to the shown text. */
  add(piece: string): string;
  /** Ends the answer and returns the remaining checked text. */
  end(): string;
  readonly rejectedLines: readonly RejectedLine[];
  /** The whole review. `repairs` replace the rejected lines in order; repairs with unsupported facts are ignored. */
  review(repairs?: readonly string[]): string;
}

const BEFORE = /^\s*(?:[-*•]|\d+[.)])?\s*(?:\*\*|_)?before(?:\*\*|_)?\s*:/i;
const AFTER = /^\s*(?:[-*•]|\d+[.)])?\s*(?:\*\*|_)?after(?:\*\*|_)?\s*:/i;
const FENCE = /^\s*(?:```|~~~)\w*\s*$/;
const PREAMBLE = /^(?:sure|certainly|of course|here(?:['’]s| is)|below is)\b/i;

/**
 * Replaces unsupported numbers by `[number]`. Removes sentences with an unsupported name, skill, quotation or link, and
 * both lines of a "Before" and "After" pair if one is unsupported. A "Before" line is held back until its "After" line.
 */
export function createReviewGuard(facts: ResumeFacts): ReviewGuard {
  const blocks: Block[] = [];
  let unfinished = '';
  let before: string | null = null;
  let shown = '';

  function take(line: string): void {
    if (FENCE.test(line) || (blocks.length === 0 && (PREAMBLE.test(line) || line.trim() === ''))) return;
    if (BEFORE.test(line)) {
      flushBefore();
      before = line;
    } else if (before !== null && AFTER.test(line)) {
      blocks.push(checkPair(before, line, facts));
      before = null;
    } else if (before !== null && line.trim() === '') {
      return;
    } else {
      flushBefore();
      blocks.push(AFTER.test(line) ? checkAfter(line, facts) : checkLine(line, facts));
    }
  }

  /** Adds a "Before" line that has no "After" line. */
  function flushBefore(): void {
    if (before !== null) blocks.push(checkLine(before, facts));
    before = null;
  }

  function newText(): string {
    const all = join(
      blocks,
      blocks.map(({ kept }) => kept),
    );
    // Hold back trailing headings and empty lines until text follows, because headings without text are removed.
    const text = all.trimEnd();
    const added = text.slice(shown.length);
    shown = text;
    return added;
  }

  return {
    add(piece) {
      const lines = (unfinished + piece).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) take(line.trimEnd());
      return newText();
    },
    end() {
      if (unfinished) take(unfinished.trimEnd());
      unfinished = '';
      flushBefore();
      return newText();
    },
    get rejectedLines() {
      return blocks.flatMap(({ rejected }) => rejected ?? []);
    },
    review(repairs = []) {
      let next = 0;
      const lines = blocks.map(({ kept, rejected, written }) => {
        if (!rejected) return kept;
        const repaired = repairs[next++]?.trim();
        return (repaired && repairedBlock(repaired, written, facts)) || kept;
      });
      return `${withoutEmptyParts(join(blocks, lines)).trim()}\n`;
    },
  };
}

/** Joins the texts of the blocks. Removed blocks leave no empty line, and there is at most one empty line in a row. */
const join = (blocks: Block[], texts: string[]) =>
  texts
    .filter((text, index) => text !== '' || blocks[index]?.written === '')
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');

function checkLine(line: string, facts: ResumeFacts): Block {
  const kind: TextKind = /^\s*#/.test(line) ? 'heading' : BEFORE.test(line) ? 'quotation' : 'remark';
  const body = kind === 'quotation' ? line.replace(BEFORE, (label) => ' '.repeat(label.length)) : line;
  const lead = /^\s*(?:#+\s|[-*•]\s|\d+[.)]\s|>\s)*/.exec(line)?.[0].length ?? 0;
  const inventions = facts.unsupportedFacts(body, kind).filter(({ start }) => start >= lead);
  if (inventions.length === 0) return { written: line, kept: line, rejected: null };
  const rejected = { text: line.trim(), problems: wordsOf(line, inventions) };
  if (kind !== 'remark') return { written: line, kept: '', rejected };
  return { written: line, kept: withoutInventions(line, lead, inventions), rejected };
}

function checkAfter(line: string, facts: ResumeFacts): Block {
  const body = line.replace(AFTER, (label) => ' '.repeat(label.length));
  const inventions = facts.unsupportedFacts(body, 'rewriting');
  if (inventions.length === 0) return { written: line, kept: line, rejected: null };
  const rejected = { text: line.trim(), problems: wordsOf(line, inventions) };
  const onlyNumbers = inventions.every(({ kind }) => kind === 'number');
  return { written: line, kept: onlyNumbers ? withPlaceholders(line, inventions) : '', rejected };
}

function checkPair(before: string, after: string, facts: ResumeFacts): Block {
  const quoted = checkLine(before, facts);
  const written = `${before}\n${after}`;
  // If the "Before" line is not in the resume, the pair cannot be repaired.
  if (quoted.rejected) return { written, kept: '', rejected: null };
  const rewritten = checkAfter(after, facts);
  return {
    written,
    kept: rewritten.kept && `${before}\n${rewritten.kept}`,
    rejected: rewritten.rejected && { ...rewritten.rejected, text: after.trim() },
  };
}

/** The repaired block; blank if the repair has unsupported facts too. */
function repairedBlock(repaired: string, written: string, facts: ResumeFacts): string {
  const line = repaired.split('\n')[0] ?? '';
  const [before, after] = written.split('\n');
  if (before !== undefined && after !== undefined) {
    const labelled = AFTER.test(line) ? line : `- After: ${line.replace(/^[-*•]\s*/, '')}`;
    const pair = checkPair(before, labelled, facts);
    return pair.rejected ? '' : pair.kept;
  }
  const block = AFTER.test(written) ? checkAfter(line, facts) : checkLine(line, facts);
  return block.rejected ? '' : block.kept;
}

const wordsOf = (line: string, inventions: UnsupportedFact[]) =>
  Array.from(new Set(inventions.map(({ start, end }) => line.slice(start, end).trim())));

function withPlaceholders(text: string, numbers: UnsupportedFact[]): string {
  return numbers.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[number]${rest.slice(end)}`,
    text,
  );
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Removes sentences with unsupported facts from the line, and replaces unsupported numbers by placeholders. */
function withoutInventions(line: string, lead: number, inventions: UnsupportedFact[]): string {
  let kept = '';
  for (const { segment, index } of sentences.segment(line.slice(lead))) {
    const from = lead + index;
    const here = inventions
      .filter(({ start }) => start >= from && start < from + segment.length)
      .map((invention) => ({ ...invention, start: invention.start - from, end: invention.end - from }));
    if (here.every(({ kind }) => kind === 'number')) kept += withPlaceholders(segment, here);
  }
  const opened = (kept.match(/\*\*/g)?.length ?? 0) % 2 === 1;
  return kept.trim() && !opened ? line.slice(0, lead) + kept.trim() : '';
}

/** Removes headings without text below them. */
function withoutEmptyParts(text: string): string {
  const lines = text.split('\n');
  return lines
    .filter((line, index) => {
      const level = /^(#{2,6})\s/.exec(line)?.[1]?.length;
      if (!level) return true;
      const next = lines.slice(index + 1).find((other) => other.trim() !== '');
      const nextLevel = /^(#{1,6})\s/.exec(next ?? '# ')?.[1]?.length;
      return nextLevel === undefined || nextLevel > level;
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}
