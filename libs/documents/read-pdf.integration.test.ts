import { afterAll, describe, expect, it } from '@jest/globals';
import { closeTestModels, describeWithModels, testModels } from '../../test/support/models.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { scanPdf } from '../../test/support/scans.ts';
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
      { text: 'Fourth page of the scan\nPage 4', confidence: 60 },
    );
    const read = await readPdf(pdf, signal, reader, (one) => progress.push(one));
    expect(read.pages.map((text, index) => (index === 0 ? text.replaceAll('\n', ' ') : text))).toEqual([
      SENTENCE.repeat(5),
      'Second page of the scan',
      '',
      'Fourth page of the scan\nPage 4',
      'Five',
    ]);
    expect(read.scan).toEqual({ language: 'en', read: [2, 4], hard: [4], unread: [] });
    expect(read.words.get(2)).toEqual([word]);
    expect(progress).toEqual([
      { page: 2, pages: 5, share: 0 },
      { page: 4, pages: 5, share: 0.5 },
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
