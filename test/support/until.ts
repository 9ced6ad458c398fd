import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two questions. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [25, 250];

/**
 * Asks again and again until the answer is one: anything but undefined, null and false. It asks less often the longer it
 * waits: forty questions a second take a good part of a processor from the programs that it waits for.
 * @param every milliseconds between two questions, however long it waits
 * @throws Error after `seconds`, saying what was waited for
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { seconds = 150, every }: { seconds?: number; every?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const begun = performance.now();
  for (let waited = 0; waited < seconds * 1000; waited = performance.now() - begun) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as NonNullable<Exclude<T, false>>;
    await pause(every ?? Math.min(Math.max(FIRST_PAUSE, waited / 10), LONGEST_PAUSE));
  }
  throw new Error(`Timed out after ${seconds} s waiting for ${what}.`);
}
