import { describe, expect, it } from '@jest/globals';
import { LimitExceeded } from '#libs/contract/errors.js';
import { paragraph, wordFile } from '../../../test/support/word.js';
import { readFile } from './read-file.js';

const signal = new AbortController().signal;
const read = (content: string | Buffer, name = 'a.txt') =>
  readFile(Buffer.from(content), name.endsWith('.md'), signal);
const pageOf = async (content: string | Buffer, name?: string) =>
  (await read(content, name)).pages.join('\n=====\n');

describe('a text file', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe 5 €')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGröße 5 €')],
    ['UTF-16 LE with a mark', Buffer.from('\ufeffGröße 5 €', 'utf16le')],
    ['UTF-16 BE with a mark', Buffer.from('\ufeffGröße 5 €', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('Größe 5 €', 'utf16le')],
    ['windows-1252', Buffer.from('Gr\xf6\xdfe 5 \x80', 'latin1')],
  ])('is decoded as %s', async (_, bytes) => {
    expect(await pageOf(bytes)).toBe('Größe 5 €');
  });

  it('keeps its lines and paragraphs, and its pages', async () => {
    expect(await pageOf('12 High Street\r\nLeeds\r\n\r\nDear Ann,\f\nPage two')).toBe(
      '12 High Street\nLeeds\n\nDear Ann,\n=====\nPage two',
    );
  });

  it.each([
    ['bytes', Buffer.from(Array.from({ length: 4_000 }, (_, index) => index % 256)), 'UNSUPPORTED_FILE'],
    ['rich text', '{\\rtf1 Text}', 'UNSUPPORTED_FILE'],
    ['an old Word document', compound('WordDocument'), 'UNSUPPORTED_FILE'],
    ['an encrypted document', compound('EncryptedPackage'), 'UNREADABLE_DOCUMENT'],
    ['nothing', '', 'UNREADABLE_DOCUMENT'],
    ['spaces', ' \n ', 'UNREADABLE_DOCUMENT'],
    ['a broken ZIP', 'PK\x03\x04 broken', 'UNREADABLE_DOCUMENT'],
  ])('is refused if it is %s', async (_, content, code) => {
    await expect(read(content, 'a.docx')).rejects.toMatchObject({ code });
  });
});

function compound(stream: string) {
  const start = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  return Buffer.concat([start, Buffer.alloc(600), Buffer.from(stream, 'utf16le')]);
}

describe('a web page', () => {
  it('is read as a browser shows it, whatever its name', async () => {
    const { format, pages, details, headings } =
      await read(`<!DOCTYPE html><html lang="en"><head><title>The  lease</title>
      <meta name="author" content="Ann"><style>.no { display: none } @media print { .screen { display: none } }</style>
      <script>alert("script")</script></head><body><h1>The <b>lease</b></h1>
      <p>Rent is<br>due &amp; payable <i class="no">never</i><i class="screen">monthly</i><i hidden>never</i>
      <i style="display:none">never</i></p><ul><li>keys<ul><li>two</ul><li>lamp</ul><ol start="3"><li>third</ol>
      <table><tr><th>Item<th>Price</tr><tr><td>Jug<td>5 | 6</tr></table><img src="http://127.0.0.1:9/a.png"></body></html>`);
    expect(format).toBe('html');
    expect(pages).toEqual([
      'The lease\n\nRent is\ndue & payable monthly\n\n• keys\n• two\n• lamp\n3. third\n\n| Item | Price |\n| --- | --- |\n| Jug | 5 \\| 6 |',
    ]);
    expect(details).toMatchObject({ title: 'The lease', author: 'Ann', language: 'en' });
    expect(headings).toEqual([{ title: 'The lease', page: 1, level: 1 }]);
  });

  it('is decoded by the encoding that it declares', async () => {
    const bytes = Buffer.from('<html><meta charset="iso-8859-2"><p>\xbf\xf3\xb3w</p></html>', 'latin1');
    expect(await pageOf(bytes)).toBe('żółw');
  });

  it('may begin with many comments, and a text too', async () => {
    const comments = '<!-- one -->\n'.repeat(200);
    expect(await read(`${comments}<p>Text</p>`)).toMatchObject({ format: 'html', pages: ['Text'] });
    expect(await read(`${comments}Text`)).toMatchObject({ format: 'text' });
  });

  it('is refused if it is nested too deeply', async () => {
    const reading = read('<div>'.repeat(20_000));
    await expect(reading).rejects.toMatchObject({ code: 'UNREADABLE_DOCUMENT' });
    await expect(reading).rejects.toBeInstanceOf(LimitExceeded);
  });
});

describe('a Markdown file', () => {
  it('may begin with HTML', async () => {
    const source = '<h1 align="center">\n  <b>Lease</b>\n</h1>\n\n## Rent\n\n- monthly\n';
    const { format, pages } = await read(source, 'readme.md');
    expect({ format, pages }).toEqual({ format: 'markdown', pages: ['Lease\n\nRent\n\n• monthly'] });
    expect(await read('<!DOCTYPE html><p>Page</p>', 'page.md')).toMatchObject({ format: 'html' });
  });

  it('is read without its marks', async () => {
    const source = `---\ntitle: "Notes"\nauthor: Ann\n---\n# The *lease*\n\nSee [the page](https://example.org)\nfor \`more\`.[^1]\n\n- [x] keys\n- lamp\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n<p hidden>never</p>\n\n[^1]: Since May.`;
    const { format, pages, details } = await read(source, 'notes.md');
    expect({ format, details }).toMatchObject({
      format: 'markdown',
      details: { title: 'Notes', author: 'Ann' },
    });
    expect(pages).toEqual([
      'The lease\n\nSee the page for more. [1]\n\n• ☑ keys\n• lamp\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n[Note 1: Since May.]',
    ]);
  });
});

it('reads a Word document by its bytes, not its name', async () => {
  expect(await read(await wordFile(paragraph('Text.')), 'a.txt')).toMatchObject({
    format: 'docx',
    pages: ['Text.'],
  });
});

it('divides a long table into tables with the same head', async () => {
  const rows = Array.from(
    { length: 300 },
    (_, index) => `<tr><td>Part ${index}<td>A part of the machine</tr>`,
  );
  const pages = (await read(`<table><tr><th>Part<th>Use</tr>${rows.join('')}</table>`)).pages;
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(page).toMatch(/^\| Part \| Use \|\n\| --- \| --- \|\n\| Part \d+ \|/);
});
