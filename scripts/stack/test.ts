/** `npm test`: everything, by one runner, with one closing line. What follows `--` goes to Jest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { find, type MachineProgram } from '../../test/support/machine-programs.ts';
import { build } from './build.ts';
import { runCommand } from './command.ts';
import { inRoot } from './root.ts';
import { print, printError } from './terminal.ts';
import {
  count,
  failedFiles,
  readResults,
  unsteadyTests,
  withSecondTry,
  type TestResults,
} from './test-results.ts';

const STOP_WITHIN_MS = 15_000;

/**
 * So many files that failed in a run of everything are run a second time, alone: two suites at once on a busy machine
 * make delays that no test is about. What fails then too is broken; what passes is named, so that it can be mended.
 */
const SECOND_TRIES = 3;

const neededBy: Record<MachineProgram, string> = { redis: 'redis-server', browser: 'Chromium' };

await runCommand(async ({ signal, cleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-results-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  await buildBoth(signal);
  const chosen = process.argv.slice(2);
  const first = await runJest(join(folder, 'first.json'), chosen, signal);
  const outcome = chosen.length === 0 ? await secondTry(first, join(folder, 'second.json'), signal) : first;
  if (signal.aborted) return 130;
  const { passed, failed, skipped } = outcome.results
    ? count(outcome.results)
    : { passed: 0, failed: 1, skipped: 0 };
  if (skipped) sayWhatIsMissing();
  print([`${passed} passed`, `${failed} failed`, ...(skipped ? [`${skipped} skipped`] : [])].join(', '));
  return outcome.code === 0 && failed === 0 && passed > 0 ? 0 : 1;
});

interface Outcome {
  code: number | null;
  /** Null where Jest itself failed. */
  results: TestResults | null;
}

/** Runs a few failed files again, and says which of their tests pass now. */
async function secondTry(first: Outcome, file: string, signal: AbortSignal): Promise<Outcome> {
  const failed = first.results ? failedFiles(first.results) : [];
  if (!first.results || signal.aborted || failed.length === 0 || failed.length > SECOND_TRIES) return first;
  print(`Failed, and run a second time, alone: ${failed.map((path) => relative(inRoot(), path)).join(', ')}`);
  const second = await runJest(file, ['--runInBand', '--runTestsByPath', ...failed], signal);
  if (!second.results) return second;
  for (const test of unsteadyTests(first.results, second.results))
    print(`Passed only the second time: ${relative(inRoot(), test)}`);
  return { code: second.code, results: withSecondTry(first.results, second.results) };
}

async function buildBoth(signal: AbortSignal) {
  for (const part of ['servers', 'web'] as const) {
    await build(part, signal).catch(printError);
  }
}

async function runJest(file: string, options: string[], signal: AbortSignal): Promise<Outcome> {
  const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // A test that leaves something open must not keep the whole run from ending.
  const jestOptions = ['--forceExit', '--json', `--outputFile=${file}`, ...options];
  const { exitCode } = await execa(
    process.execPath,
    [...nodeOptions, inRoot('node_modules/jest/bin/jest.js'), ...jestOptions],
    {
      cwd: inRoot(),
      stdio: ['ignore', 'inherit', 'inherit'],
      cancelSignal: signal,
      forceKillAfterDelay: STOP_WITHIN_MS,
      reject: false,
    },
  );
  return { code: exitCode ?? null, results: readResults(file) };
}

function sayWhatIsMissing() {
  for (const program of ['redis', 'browser'] as const) {
    if (!find(program))
      print(`Skipped, since this machine has no ${neededBy[program]}: the suites that need it.`);
  }
}
