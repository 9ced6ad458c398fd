/** `npm run check`: what can be said about the sources without running them. Every check runs, also after one failed. */
import { run } from './processes.ts';
import { inRoot } from './root.ts';
import { say, styled } from './terminal.ts';

/** Each check's program in node_modules, with its arguments. */
const checks: Record<string, string[]> = {
  'types of the servers': ['typescript/bin/tsc', '--noEmit'],
  'types of the web client': ['typescript/bin/tsc', '--noEmit', '--project', 'web'],
  linter: ['eslint/bin/eslint.js', '--max-warnings=0', '.'],
  formatter: ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  'import layers and folder cycles': ['../scripts/stack/imports.ts'],
  'dead code and dependencies': ['knip/bin/knip.js', '--no-progress'],
};

const started = performance.now();
const results = await Promise.all(inTwos(Object.entries(checks)).map(inTurn));
const failures = results.flat().filter((passed) => !passed).length;
say();
say(
  failures === 0
    ? `All checks passed in ${secondsSince(started)}.`
    : styled('red', `${failures} of ${Object.keys(checks).length} checks failed.`),
);
process.exitCode = failures === 0 ? 0 : 1;

/** Two rows of checks run beside each other: as many as a small machine bears. */
function inTwos<Item>(items: Item[]): Item[][] {
  return [0, 1].map((row) => items.filter((_, index) => index % 2 === row));
}

async function inTurn(row: [string, string[]][]): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const [name, [program = '', ...args]] of row) passed.push(await check(name, program, args));
  return passed;
}

async function check(name: string, program: string, args: string[]): Promise<boolean> {
  const since = performance.now();
  try {
    await run(process.execPath, [inRoot('node_modules', program), ...args], { cwd: inRoot() });
    say(`${styled('green', '✓')} ${name} ${styled('dim', secondsSince(since))}`);
    return true;
  } catch (error) {
    say(`${styled('red', '✗')} ${name}\n${(error as Error).message}\n`);
    return false;
  }
}

function secondsSince(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
