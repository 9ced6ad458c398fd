import { jest } from '@jest/globals';

/**
 * Milliseconds for a test that waits for programs, a browser, threads, or seconds of computing, on a machine busy with
 * other work.
 */
const PROGRAM_TEST_MS = 300_000;

/** Gives the tests of the file that calls it, outside of any test, the time that programs and long computations may need. */
export const allowTimeForPrograms = (): unknown => jest.setTimeout(PROGRAM_TEST_MS);
