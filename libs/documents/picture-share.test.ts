import { describe, expect, it } from '@jest/globals';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { mayBeScan } from './maybe-scan.js';
import { measureOperators } from './picture-share.js';

const VIEW = [0, 0, 600, 800];
type Step = [operator: number, args?: unknown[]];
const share = (...steps: Step[]) =>
  measureOperators(
    steps.map(([operator]) => operator),
    steps.map(([, args]) => args ?? null),
    VIEW,
  );
const picture: Step = [OPS.paintImageXObject, ['im']];
const move = (...matrix: number[]): Step => [OPS.transform, matrix];

describe('the pictures of a page', () => {
  it.each<[string, Step[], number]>([
    ['none', [], 0],
    ['the whole page', [move(600, 0, 0, 800, 0, 0), picture], 1],
    ['the whole page, upside down', [move(600, 0, 0, -800, 0, 800), picture], 1],
    ['the whole page, rotated', [move(0, 800, -600, 0, 600, 0), picture], 1],
    ['a half', [move(600, 0, 0, 400, 0, 0), picture], 0.5],
    ['the same half twice', [move(600, 0, 0, 400, 0, 0), picture, picture], 0.5],
    ['outside', [move(600, 0, 0, 800, 900, 0), picture], 0],
    [
      'two strips in a form',
      [
        [OPS.paintFormXObjectBegin, [[600, 0, 0, 400, 0, 0], null]],
        picture,
        [OPS.paintFormXObjectEnd],
        [OPS.save],
        move(600, 0, 0, 400, 0, 400),
        [OPS.paintInlineImageXObject, ['im']],
        [OPS.restore],
        picture,
      ],
      1,
    ],
    ['nothing, with a broken matrix', [move(NaN, 0, 0, Infinity, 0, 0), picture], 0],
  ])('cover %s', (_, steps, expected) => expect(share(...steps).share).toBeCloseTo(expected, 1));

  it('may have invisible text over them', () => {
    const text: Step = [OPS.showText, [Array.from({ length: 30 }, () => ({ unicode: 'a' }))]];
    expect(share([OPS.setTextRenderingMode, [3]], text).hasInvisibleText).toBe(true);
    expect(share(text).hasInvisibleText).toBe(false);
    const restored: Step[] = [[OPS.save], [OPS.setTextRenderingMode, [3]], [OPS.restore], text];
    expect(share(...restored).hasInvisibleText).toBe(false);
  });
});

describe('a page that may be a scan', () => {
  const page = (count: number, y: (line: number) => number, height = 10) => ({
    width: 600,
    height: 800,
    items: Array.from({ length: count }, (_, line) => ({
      text: 'This content was downloaded from an archive with many terms of use.',
      x: 60,
      y: y(line),
      width: 480,
      height,
      angle: 0,
    })),
  });

  it('has little text, or text in its margins only', () => {
    expect(mayBeScan(page(1, () => 400))).toBe(true);
    expect(mayBeScan(page(6, (line) => 740 + 8 * line, 6))).toBe(true);
    expect(mayBeScan(page(6, (line) => 300 + 20 * line))).toBe(false);
    expect(mayBeScan(page(50, (line) => 60 + 14 * line))).toBe(false);
  });

  it.each(['field', 'comment'] as const)('may have any text of a %s', (source) => {
    const { items, ...size } = page(6, (line) => 300 + 20 * line);
    expect(mayBeScan({ ...size, items: items.map((item) => ({ ...item, source })) })).toBe(true);
  });
});
