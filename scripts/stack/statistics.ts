/** The value below which the given share of the values lies; 0 without values. */
export const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(Math.ceil(share * values.length) - 1, 0)] ?? 0;

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * The 95 % confidence interval of the median, from the order of the values, which may have any distribution. Unlimited for
 * fewer than six values.
 */
export function medianInterval(values: number[]): { low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b);
  // The number of values below the median has a binomial distribution.
  let below = 0.5 ** sorted.length;
  let cumulated = below;
  let rank = 0;
  while (cumulated <= 0.025) {
    rank += 1;
    below *= (sorted.length - rank + 1) / rank;
    cumulated += below;
  }
  return { low: sorted[rank - 1] ?? -Infinity, high: sorted[sorted.length - rank] ?? Infinity };
}
