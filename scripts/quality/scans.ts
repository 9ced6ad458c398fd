import { measureScans } from './scans/measure.ts';

export async function report(): Promise<string[]> {
  const results = await measureScans();
  return results.map(
    ({ grade, report: rate, tuning, worst, pageMs }) =>
      `${grade.padEnd(8)} character errors ${percent(rate)} (pages for tuning ${percent(tuning)}, worst ${worst.name} ${percent(worst.rate)}), ${(pageMs / 1000).toFixed(1)} s a page`,
  );
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
