import type { Category } from './lighthouse.ts';

export type Row = [page: string, what: string, measured: string, budget: string, verdict: string];

export const over = 'OVER';

const LOWEST_SCORE = 95;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

export function weight(page: string, what: string, bytes: number, budget: number): Row {
  return [page, what, kilobytes(bytes), `at most ${kilobytes(budget)}`, bytes > budget ? over : 'ok'];
}

/** The median of several runs. */
export function seconds(page: string, what: string, runs: number[], budget: number): Row {
  const middle = runs.toSorted((one, other) => one - other)[Math.floor(runs.length / 2)] ?? NaN;
  return [
    page,
    what,
    `${middle.toFixed(1)} s`,
    `at most ${budget.toFixed(1)} s`,
    middle > budget ? over : 'ok',
  ];
}

/** The 95th percentile of the times of keys. */
export function milliseconds(page: string, keys: number[], budget: number): Row {
  const sorted = keys.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return [
    page,
    `a typed key, 95 of 100 (median ${at(0.5).toFixed(1)} ms)`,
    `${at(0.95).toFixed(1)} ms`,
    `at most ${budget.toFixed(1)} ms`,
    at(0.95) > budget ? over : 'ok',
  ];
}

export function score(page: string, category: Category, measured: number): Row {
  return [
    page,
    `Lighthouse ${category}`,
    String(measured),
    `at least ${LOWEST_SCORE}`,
    measured < LOWEST_SCORE ? over : 'ok',
  ];
}
