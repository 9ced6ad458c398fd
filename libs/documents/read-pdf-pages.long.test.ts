import { describe, expect, it } from '@jest/globals';
import { brokenPdf, damage, pdfBomb, pdfFontBomb, pdfWithoutItsFont } from '../../test/support/pdf-damage.js';
import { makePdf } from '../../test/support/pdf.js';
import { until } from '../../test/support/until.js';
import { readPdfPages } from './read-pdf-pages.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const never = new AbortController().signal;
const read = (bytes: Uint8Array) => readPdfPages(bytes, { signal: never });
const refusal = (words: RegExp) => ({
  code: 'UNREADABLE_PDF',
  message: expect.stringMatching(words) as unknown,
});

/** CPU time of all threads since `start`, in milliseconds. */
const cpuSince = (start: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
};

/** Number of damaged files in a test. Not more, because each starts a thread. */
const DAMAGED_FILES = 60;

const SENTENCE = 'Each chapter of this report was written by hand.';

describe('reading a PDF', () => {
  it('returns the text of each page under its number', async () => {
    const pdf = await makePdf([
      `One. ${SENTENCE}`,
      { scan: true },
      '',
      { heading: 'Four', text: 'The end.' },
    ]);
    expect(await read(pdf)).toEqual([`One. ${SENTENCE}`, '', '', 'Four\n\nThe end.']);
  });

  it('does not change the caller’s bytes, and accepts a view into a larger buffer', async () => {
    const pdf = await makePdf([SENTENCE]);
    const larger = new Uint8Array(pdf.length + 20);
    larger.set(pdf, 10);
    const view = larger.subarray(10, 10 + pdf.length);
    expect(await read(view)).toEqual([SENTENCE]);
    expect(view.byteLength).toBe(pdf.length);
    expect(await read(view)).toEqual([SENTENCE]);
  });

  it('reads Chinese and Japanese', async () => {
    const lines = '春眠不覚暁、処処聞啼鳥。\n夜来風雨声、花落知多少。';
    expect(await read(await makePdf([lines]))).toEqual([lines]);
  });

  it('reads Chinese without an embedded font', async () => {
    const line = '公司的总部位于上海市，去年共有三百名员工在那里工作。';
    expect(await read(pdfWithoutItsFont(line))).toEqual([line]);
  });

  it('reads Hebrew and Arabic in reading order', async () => {
    const lines = 'שלום עולם זהו מסמך קצר\nالعربية لغة جميلة جدا';
    expect(await read(await makePdf([lines]))).toEqual([lines]);
  });

  it('reads a file that only forbids copying', async () => {
    expect(await read(await makePdf([SENTENCE], { ownerPassword: 'owner' }))).toEqual([SENTENCE]);
  });

  it('reads 300 pages within the time limit', async () => {
    const pages = Array.from({ length: 300 }, (_, index) => `Page ${index + 1}. ${SENTENCE}`);
    expect(await read(await makePdf(pages))).toEqual(pages);
  });

  it.each([
    ['a password', () => makePdf([SENTENCE], { password: 'secret' }), /password/],
    ['damage', () => Promise.resolve(brokenPdf()), /damaged/],
    ['no bytes', () => Promise.resolve(Buffer.alloc(0)), /damaged/],
    ['scans only', () => makePdf([{ scan: true }, { scan: true }]), /no text layer.*OCR/],
    ['empty pages only', () => makePdf(['', '']), /no text layer/],
    [
      'page numbers only',
      () =>
        makePdf([
          { scan: true, text: '1' },
          { scan: true, text: '2' },
        ]),
      /no text layer/,
    ],
  ])('refuses a file with %s', async (_, make, words) => {
    await expect(read(await make())).rejects.toMatchObject(refusal(words));
  });

  it('refuses a file that inflates, within the time limit', async () => {
    const bomb = pdfBomb(150);
    const before = process.memoryUsage().rss;
    for (const limit of [{ cpuMs: 700 }, { timeoutMs: 1_000 }]) {
      // CPU time, so a busy machine does not count.
      const started = process.cpuUsage();
      await expect(readPdfPages(bomb, { signal: never, ...limit })).rejects.toMatchObject(
        refusal(/too complex/),
      );
      expect(cpuSince(started)).toBeLessThan(12_000);
    }
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(1_200);
  });

  it('refuses a file that needs more memory than a thread may have', async () => {
    const pdf = await makePdf(Array.from({ length: 300 }, () => SENTENCE.repeat(40)));
    await expect(readPdfPages(pdf, { signal: never, memoryMb: 16 })).rejects.toMatchObject(
      refusal(/too complex/),
    );
  });

  // Inflated streams are outside of the heap, where Node's limits for threads do not apply.
  it('refuses a file that inflates at once, before it fills the memory', async () => {
    const bomb = pdfFontBomb(2_000);
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
    await expect(read(bomb)).rejects.toMatchObject(refusal(/too complex/));
    clearInterval(watch);
    expect((peak - before) / 2 ** 20).toBeLessThan(900);
  });

  it('ends at once when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const started = process.cpuUsage();
    const reading = readPdfPages(pdfBomb(100), { signal: controller.signal });
    await until('the thread to compute', () => cpuSince(started) > 500);
    const aborted = process.cpuUsage();
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(cpuSince(aborted)).toBeLessThan(5_000);
    await expect(readPdfPages(brokenPdf(), { signal: controller.signal })).rejects.toBe(reason);
  });

  // Some damaged files cause an unhandled rejection in pdf.js after it has reported their error.
  it('survives every damaged file, with text or with a refusal', async () => {
    const whole = await makePdf([
      `One. ${SENTENCE}`,
      { scan: true },
      '春眠不覚暁、処処聞啼鳥。',
      { heading: 'Four', text: SENTENCE },
    ]);
    const outcomes = { read: 0, refused: 0 };
    let seed = 0;
    const next = async (): Promise<void> => {
      while (seed < DAMAGED_FILES) {
        const file = damage(whole, (seed += 1));
        await read(file).then(
          () => (outcomes.read += 1),
          (error: unknown) => {
            expect(error).toMatchObject(refusal(/./));
            outcomes.refused += 1;
          },
        );
      }
    };
    await Promise.all([next(), next()]);
    expect(outcomes.refused).toBeGreaterThan(10);
    expect(outcomes.read).toBeGreaterThan(10);
  });
});
