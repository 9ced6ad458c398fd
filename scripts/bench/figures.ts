import { availableParallelism, loadavg } from 'node:os';
import { findProgram } from '../../test/support/machine-programs.ts';
import { startRedis } from '../../test/support/redis.ts';
import { print } from '../stack/terminal.ts';
import { median } from '../stack/statistics.ts';

/** Cores and load average. Printed with results, because other load distorts absolute figures. */
export const machine = (): string => `${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}`;

/** The median and the worst of the ratios of each round's two figures. */
export const ratio = (ours: number[], others: number[]): string => {
  const ratios = ours.map((figure, round) => figure / others[round]!);
  return `${median(ratios).toFixed(2)} (worst ${Math.min(...ratios).toFixed(2)})`;
};

export const roundedMedian = (figures: number[]) => Math.round(median(figures));

/** Measures with the queue on PostgreSQL, then on Redis. @param measure gets the backend's environment variables */
export async function onBothBackends(
  measure: (queue: 'PostgreSQL' | 'Redis', variables: Record<string, string>) => Promise<void>,
): Promise<void> {
  await measure('PostgreSQL', {});
  if (!findProgram('redis')) return print('  on Redis: skipped, because this machine has no redis-server.');
  const redis = await startRedis();
  try {
    await measure('Redis', { REDIS_URL: redis.url });
  } finally {
    await redis.stop();
  }
  print(`  at the end: ${machine()}`);
}
