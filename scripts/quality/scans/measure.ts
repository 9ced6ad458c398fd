import { LocalModels } from '#libs/models/local-models.js';
import { readPdf } from '#libs/documents/read-pdf.js';
import { picturesOf, picturesToPdf, type ScanGrade } from '../../../test/support/scans.ts';
import { MODELS_FOLDER } from '../../../test/support/models-folder.ts';
import { pages, toPdf } from './pages.ts';

const scanGrades: ScanGrade[] = ['clean', 'scanner', 'phone'];

interface ScanQuality {
  grade: ScanGrade;
  /** Wrong, missing and surplus characters for each character, on the pages for the report and on those for tuning. */
  report: number;
  tuning: number;
  worst: { name: string; rate: number };
  /** Mean milliseconds for a page. */
  pageMs: number;
}

const { signal } = new AbortController();

/** Reads scans of real pages at three grades. @param count the number of pages; default: all */
export async function measureScans(count = pages.length): Promise<ScanQuality[]> {
  const models = new LocalModels({ directory: MODELS_FOLDER, off: [], memoryMb: 700 });
  const results: ScanQuality[] = [];
  try {
    for (const grade of scanGrades) {
      const errors: { name: string; wrong: number; of: number }[] = [];
      let ms = 0;
      for (const page of pages.slice(0, count)) {
        const scan = await picturesToPdf(await picturesOf(await toPdf(page), { grade }));
        const started = performance.now();
        const { pages: texts } = await readPdf(scan, signal, { language: 'en', models });
        ms += performance.now() - started;
        const expected = normalize(page.text);
        const wrong = distance(normalize(texts.join('\n')), expected);
        errors.push({ name: page.name, wrong, of: expected.length });
      }
      const rates = errors.map(({ name, wrong, of }) => ({ name, rate: wrong / of }));
      results.push({
        grade,
        report: rateOf(errors.filter((_, index) => index % 2 === 0)),
        tuning: rateOf(errors.filter((_, index) => index % 2 === 1)),
        worst: rates.reduce((a, b) => (b.rate > a.rate ? b : a)),
        pageMs: ms / count,
      });
    }
  } finally {
    await models.close();
  }
  return results;
}

export async function report(): Promise<string[]> {
  const results = await measureScans();
  return results.map(
    ({ grade, report: rate, tuning, worst, pageMs }) =>
      `${grade.padEnd(8)} character errors ${percent(rate)} (pages for tuning ${percent(tuning)}, worst ${worst.name} ${percent(worst.rate)}), ${(pageMs / 1000).toFixed(1)} s a page`,
  );
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

const rateOf = (errors: { wrong: number; of: number }[]) =>
  errors.reduce((sum, { wrong }) => sum + wrong, 0) / errors.reduce((sum, { of }) => sum + of, 0);

/** Makes quotation marks and dashes uniform, and all white space one space. */
const normalize = (text: string) =>
  text.replace(/[“”„]/g, '"').replace(/[‘’]/g, "'").replace(/[–—]/g, '-').replace(/\s+/g, ' ').trim();

function distance(a: string, b: string): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = new Uint32Array(b.length + 1);
    next[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const shorter = (row[j] as number) + 1;
      const longer = (next[j - 1] as number) + 1;
      next[j] = change < shorter ? (change < longer ? change : longer) : shorter < longer ? shorter : longer;
    }
    row = next;
  }
  return row[b.length] as number;
}
