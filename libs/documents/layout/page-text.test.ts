import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../test/support/cpu-time.js';
import type { PageItem } from './page-items.js';
import { toPageText } from './page-text.js';
import { WRAP } from './wrap.js';

const SIZE = 10;
const LEADING = 12;

/** Text of a usual width: half of its height for each character. */
const item = (text: string, x: number, y: number, more: Partial<PageItem> = {}): PageItem => ({
  text,
  x,
  y,
  width: (text.length * SIZE) / 2,
  height: SIZE,
  angle: 0,
  font: 'body',
  ...more,
});

/** Lines of cells at the positions `xs`; an empty cell has no item. */
const lines = (rows: string[][], xs: number[], top = 100, more: Partial<PageItem> = {}) =>
  rows.flatMap((row, at) =>
    row.flatMap((text, k) => (text === '' ? [] : [item(text, xs[k]!, top + at * LEADING, more)])),
  );

const textOf = (items: PageItem[]) => toPageText({ width: 600, height: 800, items }).replaceAll(WRAP, '~');

const left = [
  'The committee reviewed the annual',
  'accounts in March and found that',
  'the north pier had cost much more',
  'than planned, because the piles',
  'were longer than the survey said.',
];
const right = [
  'Membership grew a little to 240',
  'berth holders. The youngest one',
  'is nine years old and sails a',
  'small dinghy called Puffin. The',
  'sailing school taught 64 children.',
];
const middle = left.map((line) => line.replaceAll('a', 'o'));

describe('order of a page', () => {
  it('reads columns that are written row by row, below a heading over both', () => {
    const items = [
      item('Report of the Harbour Committee of the year', 130, 70, { height: 14 }),
      ...lines(
        left.map((line, at) => [line, right[at]!]),
        [50, 250],
      ),
    ];
    expect(textOf(items)).toBe(
      `Report of the Harbour Committee of the year\n\n${left.join('~')}\n\n${right.join('~')}`,
    );
  });

  it('reads three columns, with lines at different heights', () => {
    const items = [
      ...lines(
        left.map((line) => [line]),
        [50],
      ),
      ...lines(
        middle.map((line) => [line]),
        [240],
        104,
      ),
      ...lines(
        right.map((line) => [line]),
        [430],
        107,
      ),
    ].sort((a, b) => a.y - b.y);
    expect(textOf(items)).toBe([left, middle, right].map((column) => column.join('~')).join('\n\n'));
  });

  it('goes on with a sentence in the next column', () => {
    const cut = right.map((line, at) => (at === 0 ? 'of the year before, as the minutes' : line));
    const items = lines(
      left.map((line, at) => [at === 4 ? 'were longer than the old survey' : line, cut[at]!]),
      [50, 250],
    );
    expect(textOf(items)).toContain('were longer than the old survey~of the year before');
  });

  it('keeps the lines of lists and addresses', () => {
    const list = ['Invoice to', 'Dach and Sons', '12 Harbour Road', '80-341 Gdynia', '• Sails', '• Ropes'];
    expect(
      textOf(
        lines(
          list.map((line) => [line]),
          [50],
        ),
      ),
    ).toBe(list.join('\n'));
  });

  it('reads text that is drawn sideways, and a page that is turned by 180 degrees', () => {
    const rows = left.map((line, at) => [line, right[at]!]);
    const upright = lines(rows, [50, 250]);
    const expected = textOf(upright);
    for (const [angle, turn] of [
      [90, (x: number, y: number) => [600 - y, x]],
      [180, (x: number, y: number) => [600 - x, 800 - y]],
      [270, (x: number, y: number) => [y, 800 - x]],
    ] as const) {
      const turned = upright.map((one) => {
        const [x, y] = turn(one.x, one.y) as [number, number];
        return { ...one, x, y, angle };
      });
      expect(textOf(turned)).toBe(expected);
    }
  });

  it('reads columns of right-to-left text from the right', () => {
    const hebrew = [
      'שלום עולם זהו מסמך קצר מאוד',
      'שנכתב בשני טורים של טקסט',
      'והוא נקרא מימין לשמאל כאן',
      'בלי לערבב את השורות שלו',
    ];
    const second = hebrew.map((line) => line.replaceAll('ש', 'ת'));
    const items = lines(
      hebrew.map((line, at) => [second[at]!, line]),
      [50, 250],
      100,
      { isRightToLeft: true },
    );
    const text = textOf(items);
    expect(text.indexOf(hebrew[3]!)).toBeLessThan(text.indexOf(second[0]!));
    expect(text.indexOf(hebrew[3]!)).toBeGreaterThan(-1);
  });

  it('reads a page of very many items in time', async () => {
    const items = Array.from({ length: 200_000 }, (_, at) =>
      item(`${at}`, (at * 37) % 600, ((at * 91) % 8_000) / 10),
    );
    const read = () => {
      expect(textOf(items)).not.toBe('');
      expect(textOf(items.slice(0, 45_000))).not.toBe('');
    };
    expect(await cpuTimeOf(6_000, read)).toBeLessThan(6_000);
  });
});

describe('tables', () => {
  const rota = [
    ['Name', 'Morning', 'Afternoon', 'Night'],
    ['Alice Moor', '06-14', '', ''],
    ['Bert Lund', '', '14-22', ''],
    ['Dana Poe', '06-14', '', '22-06'],
  ];
  const expected = `| Name | Morning | Afternoon | Night |
| --- | --- | --- | --- |
| Alice Moor | 06-14 |  |  |
| Bert Lund |  | 14-22 |  |
| Dana Poe | 06-14 |  | 22-06 |`;

  it('keeps rows and columns, with empty cells', () => {
    const after = item(
      'The rota of the week from 2 to 8 November. Ask the ward sister for changes.',
      50,
      180,
    );
    expect(textOf([...lines(rota, [50, 150, 250, 350]), after])).toBe(`${expected}\n\n${after.text}`);
  });

  it('reads a table that is turned', () => {
    const turned = lines(rota, [50, 150, 250, 350]).map((one) => ({
      ...one,
      x: 600 - one.y,
      y: one.x,
      angle: 90,
    }));
    expect(textOf(turned)).toBe(expected);
  });

  it('joins a head of several lines, and names every column below a common name', () => {
    const head = { font: 'bold' };
    const items = [
      item('Rent per month', 195, 88, head),
      ...lines([['District', '2023', '2024', 'Change']], [50, 180, 260, 340], 100, head),
      ...lines([['', '', '', 'in %']], [50, 180, 260, 340], 112, head),
      ...lines(
        [
          ['North', '812', '840', '3.4'],
          ['South', '1 020', '1 090', '6.9'],
          ['West', '955', '930', '-2.6'],
        ],
        [50, 180, 260, 340],
        124,
      ),
    ];
    expect(textOf(items).split('\n')).toEqual([
      '| District | Rent per month~2023 | Rent per month~2024 | Change~in % |',
      '| --- | --- | --- | --- |',
      '| North | 812 | 840 | 3.4 |',
      '| South | 1 020 | 1 090 | 6.9 |',
      '| West | 955 | 930 | -2.6 |',
    ]);
  });

  it('joins the lines of a cell', () => {
    const rows = [
      ['Part', 'Purpose', 'Price'],
      ['Pump', 'lifts water from the', '120.00'],
      ['', 'well into the tank', ''],
      ['Valve', 'closes the pipe', '14.50'],
      ['Filter', 'keeps sand and', '9.90'],
      ['', 'leaves out', ''],
    ];
    expect(textOf(lines(rows, [50, 150, 350])).split('\n')).toEqual([
      '| Part | Purpose | Price |',
      '| --- | --- | --- |',
      '| Pump | lifts water from the~well into the tank | 120.00 |',
      '| Valve | closes the pipe | 14.50 |',
      '| Filter | keeps sand and~leaves out | 9.90 |',
    ]);
  });

  it('escapes the signs that divide cells', () => {
    const rows = rota.map(([name, ...others]) => [`${name} | x`, ...others]);
    expect(textOf(lines(rows, [50, 170, 250, 350]))).toContain('| Alice Moor \\| x | 06-14 |');
  });

  it.each<[string, string[][]]>([
    [
      'a table of contents',
      [
        ['Preface', '1'],
        ['Sailing', '12'],
        ['Rowing', '40'],
        ['Index', '97'],
      ],
    ],
    [
      'jobs with their years',
      [
        ['Engineer at Nordwind', '2019 - 2023'],
        ['Developer at Nordpost', '2015 - 2019'],
        ['Trainee at Tramways', '2013 - 2015'],
      ],
    ],
    [
      'names with values',
      [
        ['Rent:', '870 euros'],
        ['Deposit:', 'three months'],
        ['Landlord:', 'Mrs. Vance'],
      ],
    ],
  ])('leaves %s lines', (_, rows) => {
    expect(textOf(lines(rows, [50, 350]))).toBe(rows.map((row) => row.join(' ')).join('\n'));
  });
});

describe('other sources of text', () => {
  it('writes the value of a field after its label, and a comment as a paragraph', () => {
    const items = [
      item('Application', 50, 80),
      item('Okonkwo-Lindgren', 150, 100, { source: 'field', label: 'Surname' }),
      item('[Comment by Ann: Check this.]', 300, 90, { source: 'comment' }),
    ];
    expect(textOf(items)).toBe('Application\nSurname: Okonkwo-Lindgren\n\n[Comment by Ann: Check this.]');
  });
});
