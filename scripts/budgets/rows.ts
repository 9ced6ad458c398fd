import { median, percentile } from '../stack/statistics.ts';
import type { Category } from './lighthouse.ts';

export type Row = [page: string, what: string, measured: string, budget: string, verdict: string];

export const over = 'OVER';

const LOWEST_SCORE = 95;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

export const weight = (page: string, what: string, bytes: number, budget: number): Row =>
  atMost(page, what, [bytes, budget], kilobytes);

export const seconds = (page: string, what: string, runs: number[], budget: number): Row =>
  atMost(page, what, [median(runs), budget], (value) => `${value.toFixed(1)} s`);

/** The 95th percentile of the times of keys. */
export const milliseconds = (page: string, keys: number[], budget: number): Row =>
  atMost(
    page,
    `a typed key, 95 of 100 (median ${median(keys).toFixed(1)} ms)`,
    [percentile(keys, 0.95), budget],
    (value) => `${value.toFixed(1)} ms`,
  );

const atMost = (
  page: string,
  what: string,
  [measured, budget]: [number, number],
  format: (value: number) => string,
): Row => [page, what, format(measured), `at most ${format(budget)}`, measured > budget ? over : 'ok'];

export function score(page: string, category: Category, measured: number): Row {
  return [
    page,
    `Lighthouse ${category}`,
    String(measured),
    `at least ${LOWEST_SCORE}`,
    measured < LOWEST_SCORE ? over : 'ok',
  ];
}
