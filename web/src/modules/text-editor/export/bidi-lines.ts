import bidiFactory from 'bidi-js';
import { RIGHT_TO_LEFT } from '../../../shared/markdown/direction';

const bidi = bidiFactory();

/** Unicode's controls that set the direction from right to left: RLM, RLE, RLO and RLI. */
const CONTROLS = /[\u200f\u202b\u202e\u2067]/u;
const ARABIC_DIGITS = /[\u0660-\u066c]/u;

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text) || CONTROLS.test(text);

/** True for a run whose order fontkit reverses when it shapes the run, Arabic digits too. */
const isReversedByFont = (text: string): boolean => RIGHT_TO_LEFT.test(text) || ARABIC_DIGITS.test(text);

/** A text of one style. */
export interface Span<Style> {
  text: string;
  style: Style;
}

export interface LineOptions<Style, Run> {
  direction: 'ltr' | 'rtl';
  /** Width of a line, in the unit of `measure`. */
  width: number;
  /** Splits a text by font. */
  fontsOf: (text: string, style: Style) => Span<Run>[];
  /** Width of a text that is drawn in one piece. */
  measure: (text: string, style: Run) => number;
}

/** Words with the spaces behind them, line ends, and characters of scripts without spaces. */
const UNITS =
  /\n|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][^\S\n]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+[^\S\n]*|[^\S\n]+/gu;

/**
 * Breaks a text into lines, and puts each line's pieces in order from left to right, by Unicode's bidirectional algorithm.
 * A piece is at most one word, or spaces. The letters of a piece from right to left stay in the order in which they are read,
 * since the font's shaping turns them; its brackets are mirrored.
 */
export function bidiLines<Style, Run>(
  spans: readonly Span<Style>[],
  options: LineOptions<Style, Run>,
): Span<Run>[][] {
  const text = spans.map((span) => span.text).join('');
  const { levels } = bidi.getEmbeddingLevels(text, options.direction);
  const styles = spans.flatMap((span) => Array<Style>(span.text.length).fill(span.style));
  const pieces = (from: number, to: number) =>
    orderPieces(piecesOf({ text, levels, styles }, from, to), options);
  const widthOf = (from: number, to: number) =>
    pieces(from, to).reduce((sum, piece) => sum + options.measure(piece.text, piece.style), 0);
  const lines: [number, number][] = [];
  let [start, end, width] = [0, 0, 0];
  const endLine = (next: number) => {
    lines.push([start, end]);
    [start, end, width] = [next, next, 0];
  };
  for (const { 0: unit, index } of text.matchAll(UNITS)) {
    if (unit === '\n') {
      endLine(index + 1);
      continue;
    }
    const isTooLong = widthOf(index, index + unit.trimEnd().length) > options.width;
    let from = index;
    for (const part of isTooLong ? graphemes(unit) : [unit]) {
      if (width > 0 && width + widthOf(from, from + part.trimEnd().length) > options.width) endLine(from);
      end = from + part.length;
      width += widthOf(from, end);
      from = end;
    }
  }
  endLine(text.length);
  return lines.map(([from, to]) => pieces(from, from + text.slice(from, to).trimEnd().length));
}

interface Piece<Style> extends Span<Style> {
  level: number;
}

interface Paragraph<Style> {
  text: string;
  levels: Uint8Array;
  styles: Style[];
}

/** Pieces of one style, one level, and at most one word, in the order in which they are read. */
function piecesOf<Style>(
  { text, levels, styles }: Paragraph<Style>,
  from: number,
  to: number,
): Piece<Style>[] {
  const pieces: Piece<Style>[] = [];
  for (let at = from; at < to; at += 1) {
    const [level, style] = [levels[at]!, styles[at]!];
    const isSpace = /\s/.test(text[at]!);
    const last = pieces.at(-1);
    if (last?.level === level && last.style === style && /\s$/.test(last.text) === isSpace)
      last.text += text[at]!;
    else pieces.push({ text: text[at]!, style, level });
  }
  return pieces;
}

/** Puts pieces into visual order: rule L2 of Unicode's bidirectional algorithm (UAX #9). */
function orderPieces<Style, Run>(pieces: Piece<Style>[], { fontsOf }: LineOptions<Style, Run>): Span<Run>[] {
  const ordered = [...pieces];
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      if (ordered[from]!.level < level) continue;
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to += 1;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered.flatMap(({ text, style, level }) => {
    const isRightToLeft = level % 2 === 1;
    const runs = fontsOf(isRightToLeft ? mirrored(text) : text, style);
    return (isRightToLeft ? runs.reverse() : runs).map((run) =>
      isRightToLeft === isReversedByFont(run.text) ? run : { ...run, text: reversed(run.text) },
    );
  });
}

const mirrored = (text: string): string =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');

const reversed = (text: string): string => graphemes(text).reverse().join('');

const graphemes = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
