import lighthouse from 'lighthouse';
import { median } from '../stack/statistics.ts';

export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';
export type Scores = Partial<Record<Category, number>>;

export interface LighthouseRun {
  /** 0 to 100. */
  scores: Scores;
  /** The titles of the audits that cost points. */
  faults: string[];
}

/** Audits a page as on a mid-range phone with a slow network. @param keepSession false clears the storage first */
export async function inspect(
  url: string,
  { port, only, keepSession }: { port: number; only: Category[]; keepSession: boolean },
): Promise<LighthouseRun> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: only,
    disableStorageReset: keepSession,
    logLevel: 'error',
  });
  if (!result) throw new Error(`Lighthouse returned no result for ${url}.`);
  const { lhr } = result;
  if (lhr.runtimeError) throw new Error(`Lighthouse failed on ${url}: ${lhr.runtimeError.message}`);
  const scores = Object.fromEntries(
    Object.values(lhr.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
  ) as Scores;
  const weighed = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  const faults = [...new Set(weighed)]
    .map((id) => lhr.audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map((audit) => `${audit?.title}${audit?.displayValue ? ` (${audit.displayValue})` : ''}`);
  return { scores, faults };
}

export const medianScores = (runs: LighthouseRun[]): Scores =>
  Object.fromEntries(
    (Object.keys(runs[0]?.scores ?? {}) as Category[]).map((category) => [
      category,
      median(runs.map(({ scores }) => scores[category] ?? 0)),
    ]),
  );
