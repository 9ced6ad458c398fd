import { jest } from '@jest/globals';

/**
 * Milliseconds for a test that waits for programs, a browser, or the threads of the whole product in its own process, on
 * a machine busy with other work.
 */
const PROGRAM_TEST_MS = 300_000;

/** Gives the tests of the file that calls it, outside of any test, the time that real programs may need. */
export const allowTimeForPrograms = (): unknown => jest.setTimeout(PROGRAM_TEST_MS);
