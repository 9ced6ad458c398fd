import { describe, expect, it } from '@jest/globals';
import { deflatedZeros } from '../../test/support/pdf-damage.js';
import { literal, rawPdf, streamOf, type RawPdf } from '../../test/support/pdf-objects.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.js';
import { openPdf, readAttachment } from './read-pdf-pages.js';

allowTimeForPrograms();

const never = new AbortController().signal;
const LINE = 'The rent is 870 euros a month and is due on the third day.';

async function read(pdf: Omit<RawPdf, 'pages'> & { pages?: number | RawPdf['pages'] }) {
  const pages =
    typeof pdf.pages === 'object'
      ? pdf.pages
      : Array.from({ length: pdf.pages ?? 1 }, () => ({ lines: [LINE] }));
  const open = await openPdf(rawPdf({ ...pdf, pages }), { signal: never });
  await open.close();
  return open;
}

describe('page labels', () => {
  it.each([
    ['Roman, then Arabic numbers', '0 << /S /r >> 2 << /S /D >>', ['i', 'ii', '1', '2', '3']],
    ['prefixes', '0 << /P (Cover) >> 1 << /S /D /P (A-) /St 4 >>', ['Cover', 'A-4', 'A-5', 'A-6', 'A-7']],
    ['a page without a number', '0 << >> 1 << /S /D >>', ['', '1', '2', '3', '4']],
    ['letters', '0 << /S /A /St 25 >>', ['Y', 'Z', 'AA', 'BB', 'CC']],
    ['1, 2, 3', '0 << /S /D >>', null],
    ['nothing', '0 << >>', null],
    ['the same for all', '0 << /P (Draft) >>', null],
    ['an absurd number', '0 << /S /a /St 100000 >>', null],
    ['damage', '0 << /S /x >>', null],
  ])('with %s', async (_, nums, labels) => {
    expect((await read({ pages: 5, catalog: `/PageLabels << /Nums [${nums}] >>` })).labels).toEqual(labels);
  });
});

it.each([
  ['a number of a billion in letters', '/S /a /St 1000000000'],
  ['a prefix of a megabyte', `/S /D /P (${'x'.repeat(1_000_000)})`],
])('page labels with %s do not end the process', async (_, label) => {
  const { labels, pages } = await read({ pages: 400, catalog: `/PageLabels << /Nums [0 << ${label} >>] >>` });
  expect(labels).toBeNull();
  expect(pages).toHaveLength(400);
});

describe('details', () => {
  it('have the language, and the outline with its pages', async () => {
    const { details } = await read({
      pages: 3,
      catalog: '/Lang (en_GB) /Outlines 4 0 R',
      objects: [
        '<< /First 5 0 R /Last 7 0 R >>',
        '<< /Title (1 Rent) /Dest [8 0 R /Fit] /First 6 0 R /Last 6 0 R /Next 7 0 R >>',
        '<< /Title (1.1 Deposit) /Dest [1 /Fit] /Parent 5 0 R >>',
        '<< /Title (\\376\\377\\0002\\000 \\000N\\000o\\000t\\000i\\000c\\000e) /Dest (nowhere) >>',
      ],
    });
    expect(details).toEqual({
      language: 'en-GB',
      headings: [
        { title: '1 Rent', page: 1, level: 1 },
        { title: '1.1 Deposit', page: 2, level: 2 },
        { title: '2 Notice', page: null, level: 1 },
      ],
    });
  });

  it.each([
    ['turns in a circle', (n: number) => `<< /Title (T${n}) /First ${n} 0 R /Next 5 0 R >>`],
    ['has 20,000 entries', (n: number) => `<< /Title (T${n}) /Next ${n + 1} 0 R >>`],
  ])('are bounded if the outline %s', async (_, entry) => {
    const entries = Array.from({ length: 20_000 }, (__, index) => entry(index + 5));
    const { details, pages } = await read({
      catalog: '/Outlines 4 0 R',
      objects: ['<< /First 5 0 R >>', ...entries],
    });
    expect(pages).toEqual([LINE]);
    expect(details.headings.length).toBeLessThanOrEqual(500);
  });

  it('are a clear error if the outline has 20,000 levels', async () => {
    const levels = Array.from({ length: 20_000 }, (_, index) => `<< /Title (T) /First ${index + 6} 0 R >>`);
    const pdf = { catalog: '/Outlines 4 0 R', objects: ['<< /First 5 0 R >>', ...levels] };
    await expect(read(pdf)).rejects.toMatchObject({ code: 'UNREADABLE_PDF' });
  });
});

/** A file within a PDF: its specification, then its content. @param at number of the first of the two objects */
const attached = (name: string, content: string | Buffer, at: number, entries = '') => [
  `<< /Type /Filespec /F ${literal(name)} /EF << /F ${at + 1} 0 R >> >>`,
  streamOf(content, entries),
];
const inner = rawPdf({ pages: [{ lines: ['The annex names a fee of 12 euros.'] }] });

describe('attachments', () => {
  const withFiles = (
    names: string,
    objects: RawPdf['objects'],
    pages: RawPdf['pages'] = [{ lines: [LINE] }],
  ) => ({
    pages,
    catalog: `/Names << /EmbeddedFiles << /Names [${names}] >> >>`,
    objects,
  });
  const two = withFiles(
    '(a) 4 0 R (b) 6 0 R',
    [
      ...attached('annex.pdf', inner, 4),
      ...attached('../annex.pdf', 'price;12', 6),
      ...attached('a\u0001b.pdf', inner, 8),
    ],
    [{ lines: [LINE], annotations: ['/Subtype /FileAttachment /Rect [50 50 70 70] /FS 8 0 R'] }],
  );

  it('are listed with those on pages, by unique names, and taken out', async () => {
    expect((await read(two)).attachments).toEqual([
      { name: 'annex.pdf', size: inner.length, isPdf: true },
      { name: 'annex (2).pdf', size: 8, isPdf: false },
      { name: 'a b.pdf', size: inner.length, isPdf: true },
    ]);
    const take = (name: string) => readAttachment(rawPdf(two), name, { signal: never });
    expect(Buffer.from((await take('a b.pdf')) ?? [])).toEqual(inner);
    expect(Buffer.from((await take('annex (2).pdf')) ?? []).toString()).toBe('price;12');
    expect(await take('none.pdf')).toBeNull();
  });

  it('are bounded in number', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `(f${index}) 4 0 R`).join(' ');
    const { attachments } = await read(withFiles(names, attached('same.txt', 'x', 4)));
    expect(attachments).toHaveLength(100);
    expect(attachments.at(-1)?.name).toBe('same (100).txt');
  });

  it('whose list is damaged are left out', async () => {
    const catalog = '/Names << /EmbeddedFiles << /Kids [4 0 R 4 0 R] >> >>';
    const { attachments, pages } = await read({ catalog, objects: ['<< /Names [] >>'] });
    expect({ attachments, pages }).toEqual({ attachments: [], pages: [LINE] });
  });

  it('that inflate are a clear error', async () => {
    const bomb = attached('bomb.pdf', deflatedZeros(2_000), 4, '/Filter /FlateDecode');
    const refusal = { code: 'UNREADABLE_PDF', message: expect.stringMatching(/too complex/) as unknown };
    await expect(read(withFiles('(a) 4 0 R', bomb))).rejects.toMatchObject(refusal);
    const pdf = rawPdf(withFiles('(a) 4 0 R', bomb));
    await expect(readAttachment(pdf, 'bomb.pdf', { signal: never })).rejects.toMatchObject(refusal);
  });
});
