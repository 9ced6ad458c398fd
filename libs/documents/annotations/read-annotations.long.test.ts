import { describe, expect, it } from '@jest/globals';
import { literal, rawPdf, type RawPage, type RawPdf } from '../../../test/support/pdf-objects.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.js';
import { openPdf } from '../read-pdf-pages.js';

allowTimeForPrograms();

const never = new AbortController().signal;

/** Lines of the first page. */
async function read(page: RawPage, more: Partial<RawPdf> = {}): Promise<string[]> {
  const pdf = await openPdf(rawPdf({ pages: [page], catalog: '/AcroForm << /Fields [] >>', ...more }), {
    signal: never,
  });
  await pdf.close();
  return (pdf.pages[0] ?? '').split('\n').filter((line) => line !== '');
}

/** A field on the line of the page's text with this number, from the left edge at `left` points. */
const field = (line: number, left: number, entries: string, width = 150) =>
  `/Subtype /Widget /Rect [${left} ${776 - 15 * line} ${left + width} ${790 - 15 * line}] ${entries}`;
const text = (value: string, entries = '') => `/FT /Tx /T (x1) /V ${literal(value)} ${entries}`;
const states = '/AP << /N << /Yes 4 0 R /Off 4 0 R >> >>';
const empty = ['<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream'];

describe('form fields', () => {
  it('are read with the label beside them', async () => {
    const page = {
      lines: ['Application for a permit', 'Surname:', 'Street and number ......', 'Signed by the applicant'],
      annotations: [
        field(1, 150, text('Okonkwo-Lindgren')),
        field(2, 190, text('17 Quarry Lane', '/TU (Street and number)')),
      ],
    };
    expect(await read(page)).toEqual([
      'Application for a permit',
      'Surname: Okonkwo-Lindgren',
      'Street and number: 17 Quarry Lane',
      'Signed by the applicant',
    ]);
  });

  it('are read with the label above them, with their description, or with their name', async () => {
    const labelled = await read({ lines: ['Family name'], annotations: [field(1, 60, text('Novak'))] });
    expect(labelled).toEqual(['Family name: Novak']);
    const described = await read({
      annotations: [field(1, 60, text('Novak', '/TU (Name of the applicant)'))],
    });
    expect(described).toEqual(['Name of the applicant: Novak']);
    const named = await read({ annotations: [field(1, 60, '/FT /Tx /T (Maiden_name) /V (Novak)')] });
    expect(named).toEqual(['Maiden name: Novak']);
    expect(await read({ annotations: [field(1, 60, text('Novak'))] })).toEqual(['Novak']);
  });

  it('within a sentence have no label', async () => {
    // Helvetica of 11 points: “I, ” ends at 67, and the text after the gap begins at 150.
    const drawing = 'BT /F1 11 Tf 1 0 0 1 152 780 Tm (, live in this town.) Tj ET';
    const page = { lines: ['I,'], drawing, annotations: [field(0, 70, text('Ada Moor'), 80)] };
    expect((await read(page)).join(' ')).toMatch(/^I, ?Ada Moor ?, live in this town\.$/);
  });

  it('are read whatever their kind', async () => {
    const options = '/Opt [[(de) (Germany)] [(pl) (Poland)] [(fr) (France)]]';
    const page = {
      lines: ['Country:', 'Languages:', 'Code:', 'Plan:', 'Reason:'],
      annotations: [
        field(0, 150, `/FT /Ch /T (x1) /Ff 131072 /V (pl) ${options}`),
        field(1, 150, `/FT /Ch /T (x2) /Ff 2097152 /V [(de) (fr)] ${options}`),
        field(2, 150, text('12345', '/Ff 16777216 /MaxLen 5')),
        field(3, 150, '/FT /Tx /T (x3) /DV (Basic)'),
        field(4, 150, '/FT /Tx /T (x4) /Ff 4096 /V (I care for my father.\\nHe lives on Quarry Lane.)'),
      ],
    };
    expect(await read(page)).toEqual([
      'Country: Poland',
      'Languages: Germany, France',
      'Code: 12345',
      'Plan: Basic',
      'Reason: I care for my father.',
      'He lives on Quarry Lane.',
    ]);
  });

  it('that are ticked or chosen are said to be', async () => {
    const page = {
      lines: ['Resident of zone B:', '     Married', '     Owns a car', '     By card', '     In cash'],
      annotations: [
        field(0, 170, `/FT /Btn /T (zone) /V /Yes /AS /Yes ${states}`, 12),
        field(1, 60, `/FT /Btn /T (married) /V /Yes /AS /Yes ${states}`, 12),
        field(2, 60, `/FT /Btn /T (car) /V /Off /AS /Off ${states}`, 12),
        field(3, 60, `/Parent << /FT /Btn /Ff 32768 /T (pay) /V /Yes >> /AS /Yes ${states}`, 12),
        field(4, 60, `/Parent << /FT /Btn /Ff 32768 /T (pay) /V /Card >> /AS /Off ${states}`, 12),
      ],
    };
    expect(await read(page, { objects: empty })).toEqual([
      'Resident of zone B: checked',
      'Married: checked',
      'Owns a car',
      'By card: chosen',
      'In cash',
    ]);
  });

  it('that are hidden, hold a password or are empty are not read', async () => {
    const page = {
      lines: ['Nothing else is on this page of the form.', 'Phone:'],
      annotations: [
        field(1, 150, text('secret', '/Ff 8192')),
        field(1, 150, text('hidden', '/F 2')),
        field(1, 150, text('no view', '/F 32')),
        field(1, 150, text('')),
        field(1, 150, '/FT /Btn /Ff 65536 /T (Send) /MK << /CA (Send) >>'),
      ],
    };
    expect(await read(page)).toEqual(['Nothing else is on this page of the form.', 'Phone:']);
  });

  it('of a signature show what the signature shows', async () => {
    const drawing = 'BT /F1 9 Tf 1 0 0 1 2 4 Tm (Signed by Ada Moor) Tj ET';
    const appearance = [
      `<< /Type /XObject /Subtype /Form /BBox [0 0 150 14] /Resources << /Font << /F1 3 0 R >> >> /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ];
    const page = {
      lines: ['Signature:'],
      annotations: [field(0, 150, '/FT /Sig /T (x1) /V << >> /AP << /N 4 0 R >>')],
    };
    expect(await read(page, { objects: appearance })).toEqual(['Signature: Signed by Ada Moor']);
  });

  it('of a whole resume are read line by line', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the resume`);
    const value = lines.join('\\n');
    const annotation = `/Subtype /Widget /Rect [50 50 550 800] /FT /Tx /Ff 4096 /T (x1) /V (${value})`;
    expect(await read({ annotations: [annotation] })).toEqual(lines);
  });
});

describe('annotations', () => {
  const note = (entries: string) => `/Subtype /Text /Rect [400 700 420 720] ${entries}`;

  it('are comments with their author', async () => {
    const page = {
      lines: ['The deposit is three months of rent.'],
      annotations: [
        note('/Contents (Must be two months,\\nsays the law.) /T (Lawyer)'),
        '/Subtype /FreeText /DA (/Helv 11 Tf) /Rect [60 600 400 640] /Contents (Pets are allowed.)',
        '/Subtype /Highlight /Rect [60 778 120 790] /QuadPoints [60 790 120 790 60 778 120 778] /Contents (How much?) /T (Ada)',
        note('/Contents (Not seen) /F 2'),
        note('/Contents ( )'),
        '/Subtype /Link /Rect [60 700 80 720] /Contents (A link)',
        '/Subtype /Popup /Rect [60 700 80 720] /Contents (Twice)',
      ],
    };
    expect(await read(page)).toEqual([
      'The deposit is three months of rent.',
      '[Comment by Lawyer: Must be two months, says the law.]',
      '[Comment: Pets are allowed.]',
      '[Comment by Ada: How much?]',
    ]);
  });

  it('are followed by their replies, in a circle too', async () => {
    const objects = [
      `<< /Type /Annot ${note('/Contents (Two months?) /T (Ada)')} >>`,
      `<< /Type /Annot ${note('/Contents (Yes.) /T (Ben) /IRT 4 0 R')} >>`,
      `<< /Type /Annot ${note('/Contents (Circle) /IRT 7 0 R')} >>`,
      `<< /Type /Annot ${note('/Contents (Circle) /IRT 6 0 R')} >>`,
    ];
    const page = { lines: ['Rent'], entries: '/Annots [5 0 R 4 0 R 6 0 R 7 0 R]' };
    expect((await read(page, { objects })).slice(0, 3)).toEqual([
      'Rent',
      '[Comment by Ada: Two months?]',
      '[Reply by Ben: Yes.]',
    ]);
  });

  it('of a stamp have the text that it shows', async () => {
    const drawing = 'BT /F1 20 Tf 2 4 Td [(RECEI) -20 (VED) -300 (TODAY)] TJ ET';
    const objects = [
      `<< /Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F1 3 0 R >> >> /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ];
    const stamp = '/Subtype /Stamp /Rect [300 700 500 730] /T (Registry) /AP << /N 4 0 R >>';
    expect(await read({ annotations: [stamp] }, { objects })).toEqual([
      '[Stamp by Registry: RECEIVED TODAY]',
    ]);
  });

  it('that fill in a form are the values of its lines', async () => {
    const typed = '/Subtype /FreeText /DA (/Helv 11 Tf) /Rect [120 776 300 790] /Contents (Ada Moor)';
    expect(await read({ lines: ['Surname:', 'Town:'], annotations: [typed] })).toEqual([
      'Surname: Ada Moor',
      'Town:',
    ]);
  });
});

describe('hostile forms', () => {
  const outcome = async (pdf: RawPdf) =>
    openPdf(rawPdf(pdf), { signal: never }).then(
      async (open) => {
        await open.close();
        return open.pages.join('').length;
      },
      (error: unknown) => error,
    );

  it.each([
    ['50,000 fields', 50_000, (n: number) => field(n % 50, 60 + (n % 400), text(`value ${n}`))],
    ['10,000 notes', 10_000, (n: number) => `/Subtype /Text /Rect [0 0 9 9] /Contents (Note ${n})`],
    ['100 huge values', 100, (n: number) => field(n % 50, 60, text('x'.repeat(200_000)))],
  ])('with %s are read or refused', async (_, count, make) => {
    const annotations = Array.from({ length: count }, (__, n) => make(n));
    const result = await outcome({ pages: [{ lines: ['A form'], annotations }], catalog: '/AcroForm << >>' });
    if (typeof result === 'number') expect(result).toBeLessThan(20_000_000);
    else expect(result).toMatchObject({ code: 'UNREADABLE_PDF' });
  });

  it('with fields in a circle are read or refused', async () => {
    const objects = ['<< /FT /Tx /T (a) /Parent 5 0 R /V (one) >>', '<< /T (b) /Parent 4 0 R >>'];
    const pages = [{ lines: ['A form of the town hall'], annotations: [field(3, 60, '/Parent 4 0 R')] }];
    const result = await outcome({ pages, objects, catalog: '/AcroForm << /Fields [4 0 R] >>' });
    if (typeof result !== 'number') expect(result).toMatchObject({ code: 'UNREADABLE_PDF' });
  });
});
