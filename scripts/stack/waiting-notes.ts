import { escapeControls } from '../../libs/observability/control-characters.ts';
import { print, styled } from './terminal.ts';

const FIRST_AFTER_MS = 4_000;
const NEXT_AFTER_MS = 15_000;

/** Prints the reason of a long wait after four seconds, then every quarter of a minute. */
export class WaitingNotes {
  private nextAt = performance.now() + FIRST_AFTER_MS;

  note(problem: string): void {
    if (performance.now() <= this.nextAt) return;
    this.nextAt = performance.now() + NEXT_AFTER_MS;
    print(styled('yellow', `Still waiting: ${escapeControls(problem)}`));
  }
}
