/** `npm run check`: the static checks. A failed check does not stop the others. */
import { run } from './processes.ts';
import { inRoot } from './root.ts';
import { print, styled } from './terminal.ts';

/** Each check's script in node_modules and its arguments. */
const checks: Record<string, string[]> = {
  'types of the servers': ['typescript/bin/tsc', '--noEmit'],
  'types of the web client': ['typescript/bin/tsc', '--noEmit', '--project', 'web'],
  'types of the client package': ['typescript/bin/tsc', '--noEmit', '--project', 'clients/typescript'],
  'client package is generated': ['../scripts/client/generate.ts', 'check'],
  linter: ['eslint/bin/eslint.js', '--max-warnings=0', '.'],
  formatter: ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  'licences of dependencies': ['../scripts/licences/licences.ts', '--only-licences'],
  'import layers and folder cycles': ['../scripts/stack/imports.ts'],
  'Kubernetes manifests': ['../scripts/stack/test.ts', 'test/ops/manifests.test.ts'],
  'OpenAPI document': ['../scripts/openapi/lint.ts'],
  'dead code and dependencies': ['knip/bin/knip.js', '--no-progress'],
};

const started = performance.now();
// Two at a time: a small machine has two processors.
const queue = Object.entries(checks);
let failures = 0;
await Promise.all([runQueue(), runQueue()]);
print();
print(
  failures === 0
    ? `All checks passed in ${secondsSince(started)}.`
    : styled('red', `${failures} of ${Object.keys(checks).length} checks failed.`),
);
process.exitCode = failures === 0 ? 0 : 1;

async function runQueue() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, [script = '', ...args]] = next;
    if (!(await check(name, script, args))) failures += 1;
  }
}

async function check(name: string, script: string, args: string[]): Promise<boolean> {
  const since = performance.now();
  try {
    await run(process.execPath, [inRoot('node_modules', script), ...args], { cwd: inRoot() });
    print(`${styled('green', '✓')} ${name} ${styled('dim', secondsSince(since))}`);
    return true;
  } catch (error) {
    print(`${styled('red', '✗')} ${name}\n${(error as Error).message}\n`);
    return false;
  }
}

function secondsSince(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
