import { compareOffline } from '#libs/local-engine/resume-match/compare.js';
import { findOriginalText } from '#libs/local-engine/resume-match/original-text.js';
import { resultOf } from '#libs/local-engine/resume-match/result.js';
import { measureAgreement } from './labelled.ts';
import { atsPairs } from './pairs.ts';

/** How well the offline score orders resumes of known quality. */
export interface AtsQuality {
  /** Scores for each job: the strong resume, the partial resume, and the best resume of other professions. */
  jobs: { profession: string; strong: number; partial: number; bestOther: number }[];
  /** Pairs of resumes for one job in which the better resume has the higher score, and all pairs. */
  ordered: number;
  pairs: number;
  /** Mean milliseconds for one score. */
  milliseconds: number;
}

export function measureAts(): AtsQuality {
  const now = new Date('2025-06-01T00:00:00Z');
  let scores = 0;
  const score = (resume: string, job: string) => {
    scores += 1;
    const original = findOriginalText([resume], job);
    return resultOf(compareOffline(original, job, now), original).score;
  };
  const started = performance.now();
  let ordered = 0;
  let pairs = 0;
  const jobs = atsPairs.map(({ profession, job, strong, partial }) => {
    const own = { strong: score(strong, job), partial: score(partial, job) };
    const others = atsPairs
      .filter((other) => other.profession !== profession)
      .flatMap((other) => [score(other.strong, job), score(other.partial, job)]);
    const comparisons = [own.strong > own.partial, ...others.map((other) => own.strong > other)];
    ordered += comparisons.filter(Boolean).length;
    pairs += comparisons.length;
    return { profession, ...own, bestOther: Math.max(...others) };
  });
  return { jobs, ordered, pairs, milliseconds: (performance.now() - started) / scores };
}

export async function report(): Promise<string[]> {
  const { jobs, ordered, pairs, milliseconds } = measureAts();
  return [
    `pairs in the right order     ${ordered} of ${pairs} (${Math.round((100 * ordered) / pairs)} %)`,
    `time for one score           ${milliseconds.toFixed(1)} ms, without reading the PDF`,
    ...jobs.map(
      ({ profession, strong, partial, bestOther }) =>
        `${profession.padEnd(22)} strong ${strong}, partial ${partial}, best of other professions ${bestOther}`,
    ),
    ...agreementLines(),
  ];
}

/** Sums of both halves; only of the first half also what disagrees, so that nobody works towards the second. */
function agreementLines(): string[] {
  return [false, true].flatMap((isReport) => {
    const { pairs, labels, agreed, inBand, disagreements } = measureAgreement(isReport);
    return [
      `labels by hand, ${isReport ? 'report half' : 'first half '}  ${agreed} of ${labels} agree (${((100 * agreed) / labels).toFixed(1)} %), ${inBand} of ${pairs} scores in their band`,
      ...(isReport ? [] : disagreements.map((line) => `  ${line}`)),
    ];
  });
}
