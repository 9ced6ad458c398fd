import { readFileSync } from 'node:fs';

/** What Jest’s `--json` says of a run, as far as it is read here. */
export interface TestResults {
  testResults: FileResult[];
}

interface FileResult {
  /** Absolute path. */
  name: string;
  status: 'passed' | 'failed' | 'skipped' | 'pending' | 'focused';
  assertionResults: { fullName: string; status: string }[];
}

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** @returns null where a run left none: then it failed as a whole */
export function readResults(file: string): TestResults | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestResults;
  } catch {
    return null;
  }
}

/** The files that failed, also those that failed before their tests could run. */
export const failedFiles = ({ testResults }: TestResults): string[] =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);

/** The results of a run with those of a second one in the place of the files that it ran again. */
export const withSecondTry = (first: TestResults, second: TestResults): TestResults => ({
  testResults: first.testResults.map(
    (file) => second.testResults.find(({ name }) => name === file.name) ?? file,
  ),
});

/** Tests that failed in the first of two runs and passed in the second, by the path of their file and full name. */
export function unsteadyTests(first: TestResults, second: TestResults): string[] {
  return first.testResults.flatMap(({ name, assertionResults }) => {
    const again = second.testResults.find((file) => file.name === name)?.assertionResults ?? [];
    return assertionResults
      .filter(({ status }) => status === 'failed')
      .filter(({ fullName }) => again.some((one) => one.fullName === fullName && one.status === 'passed'))
      .map(({ fullName }) => `${name} › ${fullName}`);
  });
}

export function count({ testResults }: TestResults): Count {
  const statuses = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const of = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  const neverRan = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  return {
    passed: of('passed'),
    failed: of('failed') + neverRan.length,
    skipped: of('pending', 'todo', 'skipped', 'disabled'),
  };
}
