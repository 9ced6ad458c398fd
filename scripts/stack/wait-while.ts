import { setTimeout as sleep } from 'node:timers/promises';
import { escapeControls } from '../../libs/observability/control-characters.ts';
import { print, styled } from './terminal.ts';

const FIRST_AFTER_MS = 4_000;
const NEXT_AFTER_MS = 15_000;

/** Resolves once there is no problem. A problem that lasts is printed after four seconds, then every 15 seconds. */
export async function waitWhile(
  problemOf: () => Promise<string | null>,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<void> {
  let printAt = performance.now() + FIRST_AFTER_MS;
  for (let problem = await problemOf(); problem !== null; problem = await problemOf()) {
    if (performance.now() > printAt) {
      printAt = performance.now() + NEXT_AFTER_MS;
      print(styled('yellow', `Still waiting: ${escapeControls(problem)}`));
    }
    await sleep(everyMs, undefined, { signal });
  }
}
