import { measureAts } from './ats/measure.ts';

export async function report(): Promise<string[]> {
  const { jobs, ordered, pairs, milliseconds } = measureAts();
  return [
    `pairs in the right order     ${ordered} of ${pairs} (${Math.round((100 * ordered) / pairs)} %)`,
    `time for one score           ${milliseconds.toFixed(1)} ms, without reading the PDF`,
    ...jobs.map(
      ({ profession, strong, partial, bestOther }) =>
        `${profession.padEnd(22)} strong ${strong}, partial ${partial}, best of other professions ${bestOther}`,
    ),
  ];
}
