import { availableParallelism, loadavg } from 'node:os';

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The machine, for the first and the last line of a bench: other load makes absolute figures worthless. */
export const machine = (): string => `${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}`;

/** The median of ratios that were measured in turn, and the worst of them. */
export const ratio = (ours: number[], others: number[]): string => {
  const ratios = ours.map((figure, round) => figure / others[round]!);
  return `${median(ratios).toFixed(2)} (worst ${Math.min(...ratios).toFixed(2)})`;
};
