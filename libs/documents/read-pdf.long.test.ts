import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import PDFDocument from 'pdfkit';
import { closeTestModels, describeWithModels, testModels } from '../../test/support/models.ts';
import { rawPdf, streamOf } from '../../test/support/pdf-objects.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { picturesOf, scanPdf } from '../../test/support/scans.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import type { ScannedPage } from '#libs/models/runner/messages.js';
import { readPdf, type ReadingProgress, type ScanReader } from './read-pdf.js';

allowTimeForPrograms();
afterAll(closeTestModels);

const { signal } = new AbortController();
const SENTENCE = 'Each chapter of this report was written by hand, and then it was printed.';
const LEASE = `Lease of the mill at Farrow Bridge
The rent is 840 pounds a month, due on the first day of each month.
Either party may end this lease with three months of notice in writing.`;

/** Creates a fake OCR model that returns these pages, in order. */
function readerOf(...pages: (Partial<ScannedPage> | null)[]) {
  const left = [...pages];
  const run = () => {
    const page = left.shift();
    return Promise.resolve(page && { text: '', words: [], confidence: 90, ...page });
  };
  return {
    language: 'en',
    models: { isAvailable: () => Promise.resolve(true), run } as unknown as ScanReader['models'],
  } as const;
}

describe('reading the scanned pages of a PDF', () => {
  it('reads only the pages that need it, with progress', async () => {
    const pdf = await makePdf([
      SENTENCE.repeat(5),
      { scan: true },
      '',
      { scan: true, text: 'Page 4' },
      'Five',
    ]);
    const word = { text: 'Second', left: 0, top: 0, right: 0.1, bottom: 0.1 };
    const progress: ReadingProgress[] = [];
    const reader = readerOf(
      { text: 'Second page of the scan', words: [word] },
      { text: 'Fourth page of the scan', confidence: 60 },
    );
    const read = await readPdf(pdf, signal, reader, (one) => progress.push(one));
    expect(read.pages.map((text, index) => (index === 0 ? text.replaceAll('\n', ' ') : text))).toEqual([
      SENTENCE.repeat(5),
      'Second page of the scan',
      '',
      'Page 4\n\nFourth page of the scan',
      'Five',
    ]);
    expect(read.scan).toEqual({ language: 'en', read: [2, 4], hard: [4], unread: [] });
    expect(read.words.get(2)).toEqual([word]);
    expect(progress).toEqual([
      { page: 2, pages: 5, share: 0.2 },
      { page: 4, pages: 5, share: 0.6 },
    ]);
  });

  it('lists pages without text, and refuses a file of such pages', async () => {
    const mixed = await makePdf([SENTENCE, { scan: true }]);
    expect((await readPdf(mixed, signal, readerOf({ text: '~ ,', confidence: 10 }))).scan?.unread).toEqual([
      2,
    ]);
    const pictures = await makePdf([{ scan: true }]);
    await expect(readPdf(pictures, signal, readerOf({ confidence: 0 }))).rejects.toMatchObject({
      code: 'UNREADABLE_PDF',
      message: expect.stringMatching(/^No text could be read/) as unknown,
    });
  });

  it('reads a scan that programs have stamped, between header and footer', async () => {
    const stamp = 'This content was downloaded from the archive. '.repeat(5);
    const header = `BT /F1 8 Tf 1 0 0 1 60 815 Tm (Case 1:26-cv-00417, filed 11/25/26) Tj ET`;
    const footer = `BT /F1 5 Tf 1 0 0 1 20 20 Tm (${stamp}) Tj ET`;
    // A scan in strips, in a form of its own.
    const strips = [0, 200, 400, 600].map((y) => `q 595 0 0 210 0 ${y} cm /Im Do Q`).join('\n');
    const form =
      '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /Im 4 0 R >> >>';
    const objects = [
      streamOf(
        Buffer.from(Array.from({ length: 100 }, (_, at) => (at % 3 ? 255 : 0))),
        '/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray',
      ),
      streamOf(strips, form),
    ];
    const stamped = { drawing: `/Fm Do\n${header}\n${footer}`, resources: '/XObject << /Fm 5 0 R >>' };
    const searchable = {
      drawing: `/Fm Do\nBT 3 Tr /F1 11 Tf 1 0 0 1 60 400 Tm (A title page that OCR has read.) Tj ET`,
      resources: '/XObject << /Fm 5 0 R >>',
    };
    const decorated = {
      ...stamped,
      lines: Array.from(
        { length: 12 },
        () => 'A line of a page with a picture behind its text, as on a slide.',
      ),
    };
    const pdf = rawPdf({ pages: [stamped, searchable, decorated], objects });
    const { pages, scan } = await readPdf(pdf, signal, readerOf({ text: 'Minutes of the club' }));
    expect(pages[0]).toBe(`Case 1:26-cv-00417, filed 11/25/26\n\nMinutes of the club\n\n${stamp.trim()}`);
    expect(pages[1]).toBe('A title page that OCR has read.');
    expect(scan?.read).toEqual([1]);
  });

  it('says that a file is empty, and reads one with few words', async () => {
    const unavailable = {
      language: 'en',
      models: { isAvailable: () => Promise.resolve(false) } as unknown as ScanReader['models'],
    } as const;
    for (const reader of [null, unavailable, readerOf()]) {
      await expect(readPdf(await makePdf(['', '']), signal, reader)).rejects.toMatchObject({
        message: expect.stringMatching(/its pages are empty/) as unknown,
      });
      expect((await readPdf(await makePdf(['Hello world']), signal, reader)).pages).toEqual(['Hello world']);
    }
  });

  it('refuses a file whose pages take too long', async () => {
    const pdf = await makePdf([{ scan: true }, { scan: true }, { scan: true }, { scan: true }]);
    await expect(readPdf(pdf, signal, readerOf(null, null, null))).rejects.toMatchObject({
      message: expect.stringMatching(/too complex/) as unknown,
    });
  });

  it('refuses scans without a model, and lists the unread pages of other files', async () => {
    const unavailable = {
      language: 'en',
      models: { isAvailable: () => Promise.resolve(false) } as unknown as ScanReader['models'],
    } as const;
    await expect(readPdf(await makePdf([{ scan: true }]), signal, unavailable)).rejects.toMatchObject({
      code: 'UNREADABLE_PDF',
      message: expect.stringMatching(/no text layer/) as unknown,
    });
    const polish = { ...unavailable, language: 'pl' } as const;
    await expect(readPdf(await makePdf([{ scan: true }]), signal, polish)).rejects.toMatchObject({
      message: expect.stringMatching(/scans in Polish cannot be read/) as unknown,
    });
    const { pages, scan } = await readPdf(await makePdf([SENTENCE, { scan: true }]), signal, unavailable);
    expect(pages).toEqual([SENTENCE, '']);
    expect(scan).toEqual({ language: null, read: [], hard: [], unread: [2] });
  });
});

describeWithModels('reading scans with Tesseract', () => {
  const shared = testModels();

  it.each([0, 90, 180, 270])(
    'reads a page that is turned by %s degrees, with its words’ places',
    async (turned) => {
      const scan = await scanPdf(await makePdf([LEASE]), { turned });
      const read = await readPdf(scan, signal, { language: 'en', models: shared });
      expect(read.pages).toEqual([LEASE]);
      expect(read.scan).toEqual({ language: 'en', read: [1], hard: [], unread: [] });
      const word = read.words.get(1)?.find(({ text }) => text === '840');
      const [x, y] = [
        ((word?.left ?? 0) + (word?.right ?? 0)) / 2,
        ((word?.top ?? 0) + (word?.bottom ?? 0)) / 2,
      ];
      // Rotates the position back: on the upright page, the word is near the top left.
      const upright = { 0: [x, y], 90: [y, 1 - x], 180: [1 - x, 1 - y], 270: [1 - y, x] }[turned] ?? [];
      expect(upright[0]).toBeCloseTo(0.21, 1);
      expect(upright[1]).toBeCloseTo(0.09, 1);
    },
  );

  it('reads a scan under a stamp, and nothing twice', async () => {
    const [picture] = await picturesOf(await makePdf([LEASE]));
    const footer = 'This content was downloaded from the archive of Farrow Bridge, see its terms. '
      .repeat(4)
      .trim();
    const document = new PDFDocument({ size: 'A4', margin: 0 });
    const file = buffer(document);
    document.image(picture!, 0, 0, { width: 595, height: 842 });
    document.fontSize(6).text(footer, 20, 810, { width: 555 });
    document.end();
    const { pages, scan } = await readPdf(await file, signal, { language: 'en', models: shared });
    expect(pages[0]?.replaceAll('\n', ' ')).toBe(`${LEASE.replaceAll('\n', ' ')}  ${footer}`);
    expect(scan?.read).toEqual([1]);
  });

  it('fails alone when its process is killed, and ends with its job', async () => {
    const models = testModels();
    const scan = await scanPdf(await makePdf([LEASE, LEASE, LEASE]));
    const killed = readPdf(scan, signal, { language: 'en', models });
    const pid = await until('the process', () => models.pidOf('ocr-en'), { every: 5 });
    process.kill(pid, 'SIGKILL');
    await expect(killed).rejects.toMatchObject({ retryable: true });

    const controller = new AbortController();
    const cancelled = readPdf(scan, controller.signal, { language: 'en', models });
    await until('the process', () => models.pidOf('ocr-en'), { every: 5 });
    const reason = new Error('cancelled');
    controller.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    expect(models.pidOf('ocr-en')).toBeUndefined();
  });
});
