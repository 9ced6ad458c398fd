import { afterEach, expect, it, jest } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { unzip } from '../../../../../test/support/unzip';
import { toDocx } from './to-docx';

afterEach(() => {
  jest.restoreAllMocks();
  for (const name of ['createImageBitmap', 'document']) Reflect.deleteProperty(globalThis, name);
});

it('has no character that XML cannot have', async () => {
  const files = unzip(
    Buffer.from(await (await toDocx('a\ufffe\u0001b\uffff \ud800c 🍅', 'A\ufffe\u0000 title')).arrayBuffer()),
  );
  for (const [name, content] of files) {
    if (!name.endsWith('.xml')) continue;
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(content.toString()).close();
  }
  expect(files.get('word/document.xml')?.toString()).toContain('>ab c 🍅<');
});

async function partsOf(markdown: string) {
  const files = unzip(Buffer.from(await (await toDocx(markdown, 'A text')).arrayBuffer()));
  const read = (name: string) => files.get(`word/${name}.xml`)?.toString() ?? '';
  return { text: read('document'), notes: read('footnotes'), styles: read('styles') };
}

it('has footnotes, numbered by their first mark, each once', async () => {
  const { text, notes } = await partsOf(
    'One[^b] two[^a] one again[^b], none[^c].\n\n[^a]: About *two*.\n\n[^b]: About one.\n\n[^d]: About nothing.\n',
  );
  expect([...text.matchAll(/footnoteReference w:id="(\d+)"/g)].map(([, id]) => id)).toEqual(['1', '2']);
  expect(text).toMatch(/superscript[^]*?>1</);
  expect(text).toContain('[^c]');
  expect(notes.indexOf('About one.')).toBeLessThan(notes.indexOf('About '.concat('</w:t>')));
  expect(notes).not.toContain('nothing');
});

it('has superscript, subscript, underline and highlight', async () => {
  const { text } = await partsOf('10<sup>6</sup> H<sub>2</sub>O <u>under</u> <mark>lit</mark>\n');
  expect(text).toMatch(
    /w:val="superscript"[^]*?>6<[^]*?w:val="subscript"[^]*?>2<[^]*?<w:u [^]*?>under<[^]*?w:highlight[^]*?>lit</,
  );
});

it('has a picture that is a link', async () => {
  const file = new Blob([new Uint8Array([1])], { type: 'image/png' });
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(file));
  const canvas = { getContext: () => null, toBlob: (done: (made: Blob) => void) => done(file) };
  Object.assign(globalThis, {
    createImageBitmap: async () => ({ width: 40, height: 20, close: () => undefined }),
    document: { createElement: () => canvas },
  });
  const { text } = await partsOf(`[![Dot](/files/${'a'.repeat(43)})](https://example.com)\n`);
  expect(text).toMatch(/<w:hyperlink [^>]*>.*?<w:drawing>.*?<\/w:hyperlink>/s);
});

it('breaks lines like the text, also in a link', async () => {
  const { text } = await partsOf('Kind regards,\\\nMara\n\n[one\\\ntwo](https://example.com)\n');
  expect(text).toMatch(/Kind regards,<\/w:t>.*?<w:br\/>.*?Mara/s);
  expect(text).toMatch(/>one<\/w:t>.*?<w:br\/>.*?>two</s);
});

it.each([
  ['1. ```\n   npm i\n   ```\n2. Run it', ['1 ', ' npm i', '1 Run it']],
  ['1. a\n2.\n3. c', ['1 a', '1 ', '1 c']],
  ['1. # a\n\n   b\n2. c', ['1 a', ' b', '1 c']],
  ['1. [x] a\n2. [ ] b', ['1 ☑ a', '1 ☐ b']],
  ['- - a\n- | b |\n  | - |', ['1 ', '1 a', '1 ', ' b', ' ']],
])('numbers each item of %j', async (markdown, expected) => {
  const { text } = await partsOf(markdown);
  const paragraphs = [...text.matchAll(/<w:p>.*?<\/w:p>|<w:p\/>/gs)].map(([one]) => {
    const words = [...one.matchAll(/<w:t[ >][^<]*/g)].map(([word]) => word.replace(/^[^>]*>/, '')).join('');
    return `${one.includes('<w:numPr>') ? 1 : ''} ${words}`;
  });
  expect(paragraphs).toEqual(expected);
});

it('reads each paragraph in the direction of its first word', async () => {
  const { text } = await partsOf('# שלום world\n\nHello שלום\n\n- مرحبا\n\n| أ |\n| - |\n| b |\n');
  const paragraphs = text.match(/<w:p>.*?<\/w:p>/gs) ?? [];
  expect(paragraphs.slice(0, 5).map((one) => one.includes('<w:bidi/>'))).toEqual([
    ...[true, false, true, true, false],
  ]);
  expect(text).toContain('<w:bidiVisual/>');
});

it('has formulas as equations, and as TeX if it knows no command for them', async () => {
  const { text } = await partsOf(
    'So $\\frac{x^2}{2}$ and $\\unknowncommand{x}$.\n\n$$\n\\sum_{n=1}^N n\n$$\n',
  );
  expect(text).toMatch(/<m:oMath><m:f>.*?<m:sSup>/s);
  expect(text).toMatch(/<m:nary>/);
  expect(text).toContain('>\\unknowncommand{x}<');
});

it.each([
  ['Dies ist ein kurzer deutscher Text über das Wetter von gestern.', '<w:lang w:val="de-DE"/>'],
  ['هذا نص قصير عن الطقس في المدينة أمس.', '<w:lang w:bidi="ar-EG"/>'],
  ['これは昨日の天気についての短い文章です。', '<w:lang w:eastAsia="ja-JP"/>'],
])('has the language of %s', async (text, language) => {
  const { styles } = await partsOf(`${text}\n`);
  expect(styles).toContain(language);
});
