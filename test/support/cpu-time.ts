import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of CPU time that `slowness` takes on a processor of usual speed. */
const USUAL_MS = 8;

const unsorted = Float64Array.from({ length: 100_000 }, (_, i) => (i * 7_919) % 100_003);

/** The CPU time of this thread in milliseconds: elapsed time would include other processes. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * The CPU time of a fixed computation now, as a multiple of its usual time; at least 1. A busy processor is slower,
 * also in CPU time.
 */
export function slowness(): number {
  const numbers = unsorted.slice();
  const begun = cpuTime();
  numbers.sort();
  return Math.max(1, (cpuTime() - begun) / USUAL_MS);
}

const ROUNDS = 10;
const PAUSE_MS = 100;

/**
 * The CPU time of `work` in all threads, in milliseconds of a processor of usual speed: the shortest of ten rounds, or
 * the first below `limit`. A round may also compile the code, and other threads collect the garbage of Jest's heap
 * during several rounds.
 */
export async function cpuTimeOf(limit: number, work: () => unknown): Promise<number> {
  let shortest = Infinity;
  for (let round = 0; round < ROUNDS && shortest >= limit; round += 1) {
    if (round > 0) await pause(PAUSE_MS);
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    shortest = Math.min(shortest, (user + system) / 1_000 / slowness());
  }
  return shortest;
}
