import { existsSync, readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterEach, expect, it, jest } from '@jest/globals';
import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { decompressWoff } from './decompress-woff.js';
import { toPdf } from './to-pdf.js';

const fontFile = async (name: string) => {
  const scripts = ['bengali', 'hebrew', 'lao', 'mono', 'thai'];
  const path = ['amiri', 'noto-sans', ...scripts.map((script) => `noto-sans-${script}`)]
    .map((family) => `node_modules/@fontsource/${family}/files/${name}`)
    .find((file) => existsSync(file));
  return decompressWoff(Uint8Array.from(readFileSync(path!)));
};

const RIGHT_EDGE = 64 + 467;

async function open(markdown: string) {
  const made = await toPdf(markdown, 'Salt & <pepper>', fontFile);
  if (!('pdf' in made)) throw new Error(`Missing: ${made.missing.join('')}`);
  const data = new Uint8Array(await made.pdf.arrayBuffer());
  return getDocument({ data, verbosity: 0 }).promise;
}

/** Left and right edge of each text on the first page. */
async function edgesIn(markdown: string): Promise<(text: string) => [number, number]> {
  const document = await open(markdown);
  const { items } = await (await document.getPage(1)).getTextContent();
  await document.destroy();
  return (text) => {
    const found = items.find((item) => 'str' in item && item.str === text);
    if (!found || !('str' in found)) throw new Error(`"${text}" is not on the page.`);
    const left = Number(found.transform[4]);
    return [left, left + found.width];
  };
}

const leftOf = (edges: (text: string) => [number, number], ...texts: string[]) =>
  texts.map((text) => edges(text)[0]);
const descending = (numbers: number[]) => numbers.toSorted((a, b) => b - a);

it.each([
  ['Hebrew', 'אבג דהו Latin זחט 12 יכל', ['אבג', 'דהו', 'Latin', 'זחט', '12', 'יכל']],
  ['Arabic', 'مرحبا بكم Latin سلام 12 يوم', ['مرحبا', 'بكم', 'Latin', 'سلام', '12', 'يوم']],
])('sets %s from right to left', async (_, text, words) => {
  const edges = await edgesIn(text);
  const lefts = leftOf(edges, ...words);
  expect(lefts).toEqual(descending(lefts));
  expect(edges(words[0]!)[1]).toBeCloseTo(RIGHT_EDGE, 0);
});

it('puts markers and first columns on the right', async () => {
  const edges = await edgesIn('1. אבג\n2. דהו\n\n| זחט | יכל |\n| - | - |\n| 12 | Latin |\n');
  expect(edges('1')[0]).toBeGreaterThan(edges('אבג')[1]);
  expect(edges('1')[1]).toBeCloseTo(RIGHT_EDGE, 0);
  expect(edges('זחט')[0]).toBeGreaterThan(edges('יכל')[1]);
  expect(edges('12')[1]).toBeCloseTo(edges('זחט')[1], 0);
});

it.each([
  ['an item of a list from left to right', '1. Latin\n2. אבג\n', ['אבג', '2']],
  ['an item that begins with a formula', '2. $x$ אבג\n', ['אבג', '2']],
  ['a list in a quotation', '> 2. Latin אבג דהו\n', ['אבג', 'Latin', '2']],
])('puts the marker on the right for %s', async (_, markdown, words) => {
  const lefts = leftOf(await edgesIn(markdown), ...words);
  expect(lefts).toEqual(descending(lefts).reverse());
});

it('puts the marker on the left for an item from left to right', async () => {
  const edges = await edgesIn('1. אבג\n2. Latin\n');
  expect(edges('2.')[0]).toBeCloseTo(64, 0);
  expect(edges('Latin')[0]).toBeGreaterThan(edges('2.')[1]);
});

it('sets texts from left to right as before, with words from right to left in order', async () => {
  const edges = await edgesIn('First אבג דהו last\n\nPlain words\n');
  const lefts = leftOf(edges, 'First', 'דהו', 'אבג', 'last');
  expect(lefts).toEqual(descending(lefts).reverse());
  expect(lefts[0]).toBeCloseTo(64, 0);
});

it('leaves out headings without text', async () => {
  const document = await open('#\n\n## \u200b\n\n## One\n');
  expect(await document.getOutline()).toMatchObject([{ title: 'One' }]);
  expect(await elementsOf(await document.getPage(1))).toEqual(['Document', '  H1 One']);
  await document.destroy();
});

it('names the characters that no font has', async () => {
  expect(await toPdf('ܫܠܡܐ', 'Title', fontFile)).toEqual({ missing: ['ܫ', 'ܠ', 'ܡ', 'ܐ'] });
});

it('finds fonts for letters that markup divides', async () => {
  expect(await toPdf('**ক্**ত', 'Title', fontFile)).toHaveProperty('pdf');
});

it.each([
  ['Bengali', 'কর্মী দেশ', ['কর্মী ', 'দেশ']],
  ['Thai', 'น้ำ', ['น้ำ']],
  ['Lao', 'ນ້ຳ', ['ນ້ຳ']],
])('has the text of letters that are drawn in another order: %s', async (_, text, expected) => {
  const made = await toPdf(text, 'Title', fontFile);
  if (!('pdf' in made)) throw new Error('No PDF.');
  const file = Buffer.from(await made.pdf.arrayBuffer()).toString('latin1');
  const [page = ''] = Array.from(
    file.matchAll(/FlateDecode\n>>\nstream\n([^]*?)\nendstream/g),
    ([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'),
  ).filter((stream) => stream.includes('/ActualText'));
  const texts = Array.from(page.matchAll(/\/ActualText \(([^]*?)\)\n>> BDC/g), ([, text = '']) =>
    Buffer.from(text.slice(2).replaceAll('\\t', '\t'), 'latin1').swap16().toString('utf16le'),
  );
  expect(texts).toEqual(expected);
  // In the coordinates of its glyphs, where Poppler places it.
  expect(page.match(/>> BDC\nBT\n(?:(?!BDC)[^])*?\nET\nEMC\n/g)).toHaveLength(expected.length);
});

interface TaggedNode {
  role?: string;
  children?: TaggedNode[];
  alt?: string;
  type?: string;
  id?: string;
}

/** Each element of a page on a line, indented by depth, with its own text or its alternative text. */
async function elementsOf(page: PDFPageProxy): Promise<string[]> {
  const texts = new Map<string, string>();
  let at = '';
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
    if ('str' in item) texts.set(at, (texts.get(at) ?? '') + item.str + (item.hasEOL ? ' ' : ''));
    else if (item.type === 'endMarkedContent') at = '';
    else at = item.id ?? ('tag' in item && item.tag === 'Artifact' ? 'Artifact' : 'unmarked');
  }
  const lines = ({ role, children = [], alt }: TaggedNode, depth: number): string[] => {
    const text = children
      .map(({ id = '' }) => texts.get(id) ?? '')
      .join('')
      .trim();
    const objects = children.filter(({ type }) => type === 'object').map(() => '@');
    return [
      `${'  '.repeat(depth)}${[role, alt && `(${alt})`, text, ...objects].filter(Boolean).join(' ')}`,
      ...children.filter(({ role: name }) => name).flatMap((child) => lines(child, depth + 1)),
    ];
  };
  const tree = (await page.getStructTree()) as TaggedNode;
  expect(texts.get('') ?? '').toBe('');
  expect(texts.has('unmarked')).toBe(false);
  return (tree.children ?? []).flatMap((document) => lines(document, 0));
}

/** Elements of each page. */
async function elementsIn(markdown: string): Promise<string[][]> {
  const document = await open(markdown);
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, index) =>
      elementsOf(await document.getPage(index + 1)),
    ),
  );
  await document.destroy();
  return pages;
}

afterEach(() => {
  jest.restoreAllMocks();
  for (const name of ['createImageBitmap', 'document']) Reflect.deleteProperty(globalThis, name);
});

it('has the elements of the text in its structure', async () => {
  const text = [
    '# One `*`',
    'A [link](https://example.com) and `code` and $x$.',
    '### Deeper',
    '> Said',
    '2. two\n   - [x] done',
    '| a | b |\n| - | - |\n| c |',
    '```\nlet a;\nlet b;\n```',
    'Noted[^n].\n\n[^n]: A note.',
  ].join('\n\n');
  expect(await elementsIn(text)).toEqual([
    [
      'Document',
      '  H1 One',
      '    Code *',
      '  P A and and.',
      '    Link link @',
      '    Code code',
      '    Formula (x) x',
      '  H2 Deeper',
      '  BlockQuote',
      '    P Said',
      '  L',
      '    LI',
      '      Lbl 2.',
      '      LBody',
      '        P two',
      '        L',
      '          LI',
      '            Lbl (•)',
      '            LBody',
      '              Span [x]',
      '              P done',
      '  Table',
      '    TR',
      '      TH a',
      '      TH b',
      '    TR',
      '      TD c',
      '  P',
      '    Code let a; let b;',
      '  P Noted.',
      '    Reference 1',
      '  L',
      '    LI',
      '      Lbl 1.',
      '      LBody',
      '        Note',
      '          P A note.',
    ],
  ]);
});

it('has a paragraph and a table on two pages as one element each, and the header once', async () => {
  const words = Array.from({ length: 1_500 }, (_, index) => `w${index}`);
  const rows = Array.from({ length: 60 }, (_, index) => `| r${index} | [far](https://example.com) |`);
  const pages = await elementsIn(`${words.join(' ')}\n\n| head | b |\n| - | - |\n${rows.join('\n')}\n`);
  expect(pages.length).toBeGreaterThan(2);
  const lines = pages.flat();
  const paragraphs = lines.filter((line) => line.startsWith('  P '));
  expect(
    paragraphs
      .join('')
      .split(/ +P? */)
      .filter(Boolean),
  ).toEqual(words);
  expect(pages.every((page) => page.filter((line) => line.startsWith('  P ')).length <= 1)).toBe(true);
  expect(lines.filter((line) => line.includes('TH head'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('Link far @'))).toHaveLength(60);
});

it('keeps a heading with the text after it, on the page of both', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n\n`);
  for (let count = 20; count < 30; count += 1) {
    const pages = await elementsIn(`${lines.slice(0, count).join('')}# Heading\n\nText\n\n${lines.join('')}`);
    const page = pages.find((elements) => elements.includes('  H1 Heading'));
    expect(page).toContain('  P Text');
  }
  expect(await elementsIn('Text\n\n# Last\n')).toEqual([['Document', '  P Text', '  H1 Last']]);
});

it('has one annotation on each line of a link', async () => {
  const words = Array.from({ length: 20 }, () => 'words').join(' ');
  const document = await open(`[${words}](https://example.com)`);
  const page = await document.getPage(1);
  const links = (await page.getAnnotations()) as {
    url: string;
    rect: number[];
    contentsObj: { str: string };
  }[];
  expect(links.map(({ url }) => url)).toEqual(['https://example.com/', 'https://example.com/']);
  expect(links[0]?.contentsObj.str).toBe(words);
  expect(links[0]!.rect[2]! - links[0]!.rect[0]!).toBeGreaterThan(400);
  await document.destroy();
});

it('has texts from right to left in the order in which they are read', async () => {
  const made = await toPdf('אבג [דהו](https://example.com) Latin\n', 'Title', fontFile);
  if (!('pdf' in made)) throw new Error('A font is missing.');
  const file = Buffer.from(await made.pdf.arrayBuffer()).toString('latin1');
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1');
  const spans = [...file.matchAll(/\/S \/Span\n[^]*?\/ActualText \((.*?)\)\n/gs)].map(([, span]) => span);
  expect(spans).toEqual([utf16('אבג '), utf16('דהו'), ' Latin']);
});

it('has pictures with their alternative texts', async () => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const file = new Blob([pixel], { type: 'image/png' });
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(file));
  const canvas = { getContext: () => null, toBlob: (done: (made: Blob) => void) => done(file) };
  Object.assign(globalThis, {
    createImageBitmap: async () => ({ width: 40, height: 20, close: () => undefined }),
    document: { createElement: () => canvas },
  });
  const path = `/files/${'a'.repeat(43)}`;
  expect(await elementsIn(`Before ![A (red) dot](${path}) after\n`)).toEqual([
    ['Document', '  P Before after', '    Figure (A (red) dot)'],
  ]);
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(file));
  const document = await open(`[![Dot](${path})](https://example.com)\n`);
  const links = await (await document.getPage(1)).getAnnotations();
  expect(links).toMatchObject([{ url: 'https://example.com/', contentsObj: { str: 'Dot' } }]);
  await document.destroy();
});

it.each([
  ['a Cyrillic path', `${'/Документы_и_файлы'.repeat(6)}`],
  ['a Cyrillic word', 'ОченьДлинноеИмяФайла'.repeat(6)],
  ['a word of two scripts', 'Слово_word_'.repeat(12)],
  [
    'identifiers in columns',
    `|${' a |'.repeat(6)}\n|${' - |'.repeat(6)}\n|${' maximumNumberOfRetriesX |'.repeat(6)}\n`,
  ],
  [
    'code in columns',
    `|${' a |'.repeat(6)}\n|${' - |'.repeat(6)}\n|${' `max_retries_per_request` |'.repeat(6)}\n`,
  ],
  [
    'no-break spaces in columns',
    `|${' a |'.repeat(8)}\n|${' - |'.repeat(8)}\n|${' in\u00a03GPP\u00a0TS\u00a029.582 |'.repeat(8)}\n`,
  ],
  ['a long word in a heading', `# ${'Donaudampfschifffahrtsgesellschaft'.repeat(2)}\n`],
])('keeps %s on the page', async (_, markdown) => {
  const document = await open(markdown);
  const { items } = await (await document.getPage(1)).getTextContent();
  await document.destroy();
  const right = items.map((item) => ('str' in item ? Number(item.transform[4]) + item.width : 0));
  expect(Math.max(...right)).toBeLessThanOrEqual(RIGHT_EDGE + 1);
});

it('breaks no word that fits into a line', async () => {
  const word = 'a'.repeat(45);
  const edges = await edgesIn(
    `${'The words before it fill a line, so that it is on the next. '}${word} ${word}`,
  );
  expect(edges(word)[0]).toBeCloseTo(64, 0);
});

it("has the user's language, and follows PDF/UA, if its own is not recognised", async () => {
  const document = await open('# Skills\n\n- TypeScript\n- PostgreSQL\n- Redis\n- Kubernetes\n');
  const { info, metadata } = await document.getMetadata();
  expect(info).toMatchObject({ Language: navigator.language });
  expect(metadata.getRaw()).toContain('pdfuaid');
  await document.destroy();
});

it('has title, language, bookmarks and the mark of a tagged PDF', async () => {
  const document = await open('# The first heading of this text\n\n## Another one\n');
  const { info, metadata } = await document.getMetadata();
  expect(info).toMatchObject({ Title: 'Salt & <pepper>', Language: 'en', PDFFormatVersion: '1.7' });
  expect(metadata.get('dc:title')).toBe('Salt & <pepper>');
  expect(metadata.getRaw()).toContain('<pdfuaid:part>1</pdfuaid:part>');
  expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
  expect(await document.getOutline()).toMatchObject([
    { title: 'The first heading of this text', items: [{ title: 'Another one' }] },
  ]);
  await document.destroy();
});
