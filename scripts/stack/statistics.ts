/** The value below which the given share of the values lies; 0 without values. */
export const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(Math.ceil(share * values.length) - 1, 0)] ?? 0;

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
