/**
 * `npm test`: the tests by one runner, with one closing line. Arguments after `--` go to Jest; without any, the long suites
 * are left to `npm run test:long`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { findProgram, type MachineProgram } from '../../test/support/machine-programs.ts';
import { COMPILE_CACHE } from '../../test/support/process.ts';
import { build } from './build.ts';
import { runCommand } from './command.ts';
import { inRoot } from './root.ts';
import { print, printError } from './terminal.ts';

/** Between the normal priority, 0, and that of the product's threads and models, 10. */
const TEST_PRIORITY = 5;
const STOP_WITHIN_MS = 15_000;

const neededBy: Record<MachineProgram, string> = {
  redis: 'redis-server',
  browser: 'Chromium',
  pgbouncer: 'pgbouncer',
  haproxy: 'HAProxy',
};

// Threads and models of the product run below the normal priority. Beside the test runners at the normal one they would
// get a tenth of a processor that is busy, and jobs would take minutes.
setPriority(TEST_PRIORITY);

await runCommand(
  async ({ signal, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'pressroom-results-'));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const { options, isUnitOnly } = readOptions(process.argv.slice(2));
    // Unit tests run no program: they need no build of the web client.
    const parts = isUnitOnly ? (['servers'] as const) : (['servers', 'web'] as const);
    for (const part of parts) await build(part, signal).catch(printError);
    const file = join(folder, 'results.json');
    const exitCode = await runJest(file, options, signal);
    if (signal.aborted) {
      // Jest ends without its workers. They and what they started are in the group that scripts/bootstrap.mjs made.
      process.kill(0, 'SIGTERM');
      return;
    }
    const { passed, failed, skipped } = readCounts(file);
    if (skipped) printMissingPrograms();
    print([`${passed} passed`, `${failed} failed`, ...(skipped ? [`${skipped} skipped`] : [])].join(', '));
    return exitCode === 0 && failed === 0 && passed > 0 ? 0 : 1;
  },
  { mustEnd: true },
);

/** Jest's options: with `--unit` or `--long` for these suites, else for all on the paths given, or all but the long ones. */
function readOptions(given: string[]): { options: string[]; isUnitOnly: boolean } {
  const options = given.filter((option) => option !== '--unit' && option !== '--long');
  const isUnitOnly = given.includes('--unit');
  const short = options.length > 0 ? [] : ['unit', 'integration'];
  const projects = isUnitOnly ? ['unit'] : given.includes('--long') ? ['long'] : short;
  // The last option, since it takes every path after it as a project.
  return {
    options: [...options, ...(projects.length > 0 ? ['--selectProjects', ...projects] : [])],
    isUnitOnly,
  };
}

async function runJest(file: string, options: string[], signal: AbortSignal): Promise<number | undefined> {
  const nodeOptions = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    // A test file ends before optimised code would pay: 9 % less CPU time for the api's files.
    '--no-opt',
    // Packages are loaded for each test file. Fewer collections of young objects: 13 % less CPU time to load the api.
    '--min-semi-space-size=32',
    '--max-semi-space-size=64',
  ];
  const { exitCode } = await execa(
    process.execPath,
    [...nodeOptions, inRoot('node_modules/jest/bin/jest.js'), '--json', `--outputFile=${file}`, ...options],
    {
      cwd: inRoot(),
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ['ignore', 'inherit', 'inherit'],
      cancelSignal: signal,
      forceKillAfterDelay: STOP_WITHIN_MS,
      reject: false,
    },
  );
  return exitCode;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The counts of Jest. A file that failed before its tests could run is one failure, as is a run without results. */
function readCounts(file: string): Counts {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
    return {
      passed: results.numPassedTests ?? 0,
      failed: (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0),
      skipped: (results.numPendingTests ?? 0) + (results.numTodoTests ?? 0),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function printMissingPrograms() {
  for (const program of ['redis', 'browser'] as const) {
    if (!findProgram(program))
      print(`Skipped, since this machine has no ${neededBy[program]}: the suites that need it.`);
  }
}
