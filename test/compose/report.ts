import { print, styled } from '../../scripts/stack/terminal.ts';

/** Runs checks one after the other and counts them. */
export class Report {
  passed = 0;
  failed = 0;

  /** Runs one check. A failure is printed and counted; the checks after it still run. */
  async check(name: string, work: () => Promise<string | void>): Promise<void> {
    const since = performance.now();
    const took = () => styled('dim', `${((performance.now() - since) / 1000).toFixed(1)} s`);
    try {
      const note = await work();
      this.passed += 1;
      print(`${styled('green', '✓')} ${name}${note ? `: ${note}` : ''} ${took()}`);
    } catch (error) {
      this.failed += 1;
      print(`${styled('red', '✗')} ${name} ${took()}\n${indent((error as Error).stack ?? String(error))}`);
    }
  }
}

const indent = (text: string) => text.replace(/^/gm, '    ');
