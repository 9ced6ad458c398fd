import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until the answer is one: anything but undefined, null and false.
 * @throws Error after `seconds`, saying what was waited for
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { seconds = 60, every = 25 }: { seconds?: number; every?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(every)) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as NonNullable<Exclude<T, false>>;
  }
  throw new Error(`Waited ${seconds} s in vain: ${what}.`);
}
