import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { create } from 'fontkit';
import type { Nodes } from 'mdast';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { decompressWoff } from './decompress-woff.js';
import type { FormulaPicture } from './draw-formulas.js';
import { parseForExport } from './parse-for-export.js';
import { drawPdf } from './pdf-document.js';
import { BASE_FONT, PdfFonts } from './pdf-fonts.js';
import { PdfWriter } from './pdf-writer.js';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** 40 pixels are 30 points. */
const picture: FormulaPicture = {
  type: 'png',
  data: Uint8Array.from(pixel),
  ...{ width: 40, height: 80, padding: 4, baseline: 48, ascent: 40, depth: 28 },
};

const fontFile = async (name: string) =>
  decompressWoff(Uint8Array.from(readFileSync(`node_modules/@fontsource/noto-sans/files/${name}`)));

const REGULAR = `${BASE_FONT}-400-normal.woff`;

const formulasOf = (node: Nodes): Nodes[] =>
  node.type === 'inlineMath' ? [node] : 'children' in node ? node.children.flatMap(formulasOf) : [];

/** The page of a text whose formulas all have the picture. */
async function pageOf(markdown: string) {
  const root = parseForExport(markdown);
  const fonts = new PdfFonts(async (name) => create(await fontFile(name)));
  await fonts.prepare(markdown);
  const drawn = new Map(formulasOf(root).map((node) => [node, picture]));
  const writer = new PdfWriter(root, new Map(), drawn, fonts, new Map([[BASE_FONT, new Set([0])]]));
  const content = writer.content();
  const file = await drawPdf({
    title: 'Title',
    language: 'en',
    fonts: { [BASE_FONT]: { normal: await fontFile(REGULAR), bold: await fontFile(REGULAR) } },
    formulas: writer.formulas,
    margins: [64, 64, 64, 72],
    defaultStyle: { font: BASE_FONT, fontSize: 11, lineHeight: 1.35 },
    content,
    structure: writer.structure,
    footer: () => null,
    pageBreakBefore: () => false,
  });
  const data = new Uint8Array(await file.arrayBuffer());
  const document = await getDocument({ data: data.slice(), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  const texts = items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [
          {
            text: item.str.trim(),
            x: Number(item.transform[4]),
            y: Number(item.transform[5]),
            width: item.width,
          },
        ]
      : [],
  );
  await document.destroy();
  const boxes = [
    ...Buffer.from(data)
      .toString('latin1')
      .matchAll(/\/BBox \[([^\]]+)\]/g),
  ].map(([, numbers = '']) => numbers.split(' ').map(Number));
  return { texts, boxes };
}

it('puts a formula into its line, at the baseline, and makes room above and below', async () => {
  const { texts, boxes } = await pageOf('Before $x$ after\\\nbelow\n');
  const [before, after, below] = texts;
  const [left, bottom, right, top] = boxes[0]!;
  expect(boxes).toHaveLength(1);
  expect(after!.y).toBeCloseTo(before!.y, 1);
  expect(right! - left!).toBeCloseTo(30, 1);
  expect(top! - bottom!).toBeCloseTo(60, 1);
  // The baseline is 48 pixels below the upper edge.
  expect(top! - 36).toBeCloseTo(before!.y, 1);
  expect(left! + 3).toBeGreaterThanOrEqual(before!.x + before!.width);
  expect(right! - 3).toBeLessThanOrEqual(after!.x);
  expect(below!.y).toBeLessThan(bottom!);
});

it('writes a formula as text that is wider than a cell of a table', async () => {
  const cells = ' $x$ |'.repeat(16);
  const { texts, boxes } = await pageOf(`|${cells}\n|${' - |'.repeat(16)}\n`);
  expect(boxes).toEqual([]);
  expect(texts.map(({ text }) => text)).toEqual(Array<string>(16).fill('x'));
});
