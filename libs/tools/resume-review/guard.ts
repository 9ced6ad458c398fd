import type { Invention, ResumeFacts, TextKind } from './facts.js';

/** A line, or a pair of lines, that stated what the resume does not have. */
export interface Remark {
  /** As the model wrote it. */
  text: string;
  /** The words in question. */
  problems: string[];
}

interface Block {
  written: string;
  /** Without what was invented; empty when nothing is left. */
  kept: string;
  remark: Remark | null;
}

/** Reads a review as it is written and lets through what holds against the resume. */
export interface ReviewGuard {
  /** Takes a piece of the model's answer; gives the text that may be shown now. */
  add(piece: string): string;
  /** Takes the answer's end; gives the last text that may be shown. */
  end(): string;
  readonly remarks: readonly Remark[];
  /** The review, with better versions of the lines remarked on, by their order; what invents again is not used. */
  review(repairs?: readonly string[]): string;
}

const BEFORE = /^\s*(?:[-*•]|\d+[.)])?\s*(?:\*\*|_)?before(?:\*\*|_)?\s*:/i;
const AFTER = /^\s*(?:[-*•]|\d+[.)])?\s*(?:\*\*|_)?after(?:\*\*|_)?\s*:/i;
const FENCE = /^\s*(?:```|~~~)\w*\s*$/;
const CHATTER = /^(?:sure|certainly|of course|here(?:['’]s| is)|below is)\b/i;

/**
 * The rule: an invented number becomes `[number]`; a sentence with an invented name, skill, quotation or link goes; of
 * a rewritten example, both lines go. Pairs of "Before" and "After" are held until both are there.
 */
export function createReviewGuard(facts: ResumeFacts): ReviewGuard {
  const blocks: Block[] = [];
  let unfinished = '';
  let before: string | null = null;
  let shown = '';

  function take(line: string): void {
    if (FENCE.test(line) || (blocks.length === 0 && (CHATTER.test(line) || line.trim() === ''))) return;
    if (BEFORE.test(line)) {
      release();
      before = line;
    } else if (before !== null && AFTER.test(line)) {
      blocks.push(checkPair(before, line, facts));
      before = null;
    } else if (before !== null && line.trim() === '') {
      return;
    } else {
      release();
      blocks.push(AFTER.test(line) ? checkAfter(line, facts) : checkLine(line, facts));
    }
  }

  /** A "Before" without its "After" is a quotation like any other. */
  function release(): void {
    if (before !== null) blocks.push(checkLine(before, facts));
    before = null;
  }

  function news(): string {
    const all = join(
      blocks,
      blocks.map(({ kept }) => kept),
    );
    // Headings and empty lines at the end may still turn out to have nothing below them: shown with what follows.
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
      return news();
    },
    end() {
      if (unfinished) take(unfinished.trimEnd());
      unfinished = '';
      release();
      return news();
    },
    get remarks() {
      return blocks.flatMap(({ remark }) => remark ?? []);
    },
    review(repairs = []) {
      let next = 0;
      const lines = blocks.map(({ kept, remark, written }) => {
        if (!remark) return kept;
        const repaired = repairs[next++]?.trim();
        return (repaired && repairedBlock(repaired, written, facts)) || kept;
      });
      return `${withoutEmptyParts(join(blocks, lines)).trim()}\n`;
    },
  };
}

/** The texts of the blocks in one, without those of which nothing is left; at most one empty line in a row. */
const join = (blocks: Block[], texts: string[]) =>
  texts
    .filter((text, index) => text !== '' || blocks[index]?.written === '')
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');

function checkLine(line: string, facts: ResumeFacts): Block {
  const kind: TextKind = /^\s*#/.test(line) ? 'heading' : BEFORE.test(line) ? 'quotation' : 'remark';
  const body = kind === 'quotation' ? line.replace(BEFORE, (label) => ' '.repeat(label.length)) : line;
  const lead = /^\s*(?:#+\s|[-*•]\s|\d+[.)]\s|>\s)*/.exec(line)?.[0].length ?? 0;
  const inventions = facts.inventionsIn(body, kind).filter(({ start }) => start >= lead);
  if (inventions.length === 0) return { written: line, kept: line, remark: null };
  const remark = { text: line.trim(), problems: wordsOf(line, inventions) };
  if (kind !== 'remark') return { written: line, kept: '', remark };
  return { written: line, kept: withoutInventions(line, lead, inventions), remark };
}

function checkAfter(line: string, facts: ResumeFacts): Block {
  const body = line.replace(AFTER, (label) => ' '.repeat(label.length));
  const inventions = facts.inventionsIn(body, 'rewriting');
  if (inventions.length === 0) return { written: line, kept: line, remark: null };
  const remark = { text: line.trim(), problems: wordsOf(line, inventions) };
  const onlyNumbers = inventions.every(({ kind }) => kind === 'number');
  return { written: line, kept: onlyNumbers ? withPlaceholders(line, inventions) : '', remark };
}

function checkPair(before: string, after: string, facts: ResumeFacts): Block {
  const quoted = checkLine(before, facts);
  const written = `${before}\n${after}`;
  // A rewriting of a line that is not in the resume is an invention as a whole; there is nothing to repair.
  if (quoted.remark) return { written, kept: '', remark: null };
  const rewritten = checkAfter(after, facts);
  return {
    written,
    kept: rewritten.kept && `${before}\n${rewritten.kept}`,
    remark: rewritten.remark && { ...rewritten.remark, text: after.trim() },
  };
}

/** The better version in the place of what was written, or '' when it invents as well. */
function repairedBlock(repaired: string, written: string, facts: ResumeFacts): string {
  const line = repaired.split('\n')[0] ?? '';
  const [before, after] = written.split('\n');
  if (before !== undefined && after !== undefined) {
    const labelled = AFTER.test(line) ? line : `- After: ${line.replace(/^[-*•]\s*/, '')}`;
    const pair = checkPair(before, labelled, facts);
    return pair.remark ? '' : pair.kept;
  }
  const block = AFTER.test(written) ? checkAfter(line, facts) : checkLine(line, facts);
  return block.remark ? '' : block.kept;
}

const wordsOf = (line: string, inventions: Invention[]) =>
  Array.from(new Set(inventions.map(({ start, end }) => line.slice(start, end).trim())));

function withPlaceholders(text: string, numbers: Invention[]): string {
  return numbers.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[number]${rest.slice(end)}`,
    text,
  );
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A line without the sentences that name or quote what is not there, and with placeholders for numbers. */
function withoutInventions(line: string, lead: number, inventions: Invention[]): string {
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

/** Headings below which nothing is left go too. */
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
