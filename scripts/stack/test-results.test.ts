import { expect, it } from '@jest/globals';
import {
  count,
  failedFiles,
  readResults,
  unsteadyTests,
  withSecondTry,
  type TestResults,
} from './test-results.ts';

const file = (name: string, tests: Record<string, string>, status?: 'failed') => ({
  name,
  status: status ?? (Object.values(tests).includes('failed') ? ('failed' as const) : ('passed' as const)),
  assertionResults: Object.entries(tests).map(([fullName, outcome]) => ({ fullName, status: outcome })),
});

const first: TestResults = {
  testResults: [
    file('/a', { one: 'passed', two: 'pending' }),
    file('/b', { three: 'failed', four: 'failed', five: 'passed' }),
    file('/c', {}, 'failed'),
  ],
};

it('counts what failed, and as one each file that failed before its tests could run', () => {
  expect(count(first)).toEqual({ passed: 2, failed: 3, skipped: 1 });
  expect(failedFiles(first)).toEqual(['/b', '/c']);
});

it('takes a second try for the files that it ran, and names what passed in it alone', () => {
  const second: TestResults = {
    testResults: [
      file('/b', { three: 'passed', four: 'failed', five: 'passed' }),
      file('/c', { six: 'passed' }),
    ],
  };
  expect(count(withSecondTry(first, second))).toEqual({ passed: 4, failed: 1, skipped: 1 });
  expect(unsteadyTests(first, second)).toEqual(['/b › three']);
});

it('keeps the failure of a file that the second try has nothing of', () => {
  expect(count(withSecondTry(first, { testResults: [file('/b', { three: 'passed' })] })).failed).toBe(1);
});

it('has nothing where a run left no results', () => {
  expect(readResults('/nowhere/results.json')).toBeNull();
});
