/** `npm test`: everything, by one runner, with one closing line. What follows `--` goes to Jest. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, type MachineProgram } from '../../test/support/machine-programs.ts';
import { build } from './build.ts';
import { runCommand } from './command.ts';
import { ended, terminate } from './processes.ts';
import { inRoot } from './root.ts';
import { say, sayFailure } from './terminal.ts';

/** What Jest's `--json` says of a run, as far as it is read here. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that failed before their tests could run. */
  numRuntimeErrorTestSuites: number;
}

const STOP_WITHIN_MS = 15_000;

const neededBy: Record<MachineProgram, string> = { redis: 'redis-server', browser: 'Chromium' };

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

await runCommand(async ({ signal, cleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-results-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const results = join(folder, 'results.json');
  await buildBoth(signal);
  const code = await runJest(results, signal);
  if (signal.aborted) return 130;
  const { passed, failed, skipped } = count(results);
  if (skipped) sayWhatIsMissing();
  say([`${passed} passed`, `${failed} failed`, ...(skipped ? [`${skipped} skipped`] : [])].join(', '));
  return code === 0 && failed === 0 && passed > 0 ? 0 : 1;
});

/** What does not build is told here; the tests that need it then fail, and are counted. */
async function buildBoth(signal: AbortSignal) {
  for (const part of ['servers', 'web'] as const) {
    await build(part, signal).catch(sayFailure);
  }
}

async function runJest(results: string, signal: AbortSignal): Promise<number | null> {
  const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // A test that leaves something open must not keep the whole run from ending.
  const jestOptions = ['--forceExit', '--json', `--outputFile=${results}`, ...process.argv.slice(2)];
  const jest = spawn(
    process.execPath,
    [...nodeOptions, inRoot('node_modules/jest/bin/jest.js'), ...jestOptions],
    {
      cwd: inRoot(),
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  signal.addEventListener('abort', () => void terminate(jest, 'SIGTERM', STOP_WITHIN_MS));
  return (await ended(jest)).code;
}

function sayWhatIsMissing() {
  for (const program of ['redis', 'browser'] as const) {
    if (!find(program))
      say(`Skipped, since this machine has no ${neededBy[program]}: the suites that need it.`);
  }
}

/** A run that left no results failed as a whole. */
function count(file: string): Count {
  let results: Results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}
