import * as passwords from '../../node_modules/@better-auth/utils/dist/password.node.mjs';

/*
 * Replaces better-auth's hashing of passwords in the process of the tests (jest.config.js). A hash takes a tenth of a second of
 * computing by design, and the suites of the accounts do it hundreds of times, with few passwords: each is hashed once,
 * and compared once with each hash. Programs that tests start hash as users meet it.
 */

const hashes = new Map<string, Promise<string>>();
const comparisons = new Map<string, Promise<boolean>>();

export const hashPassword = (password: string): Promise<string> =>
  once(hashes, password, () => passwords.hashPassword(password));

export const verifyPassword = (hash: string, password: string): Promise<boolean> =>
  once(comparisons, `${hash} ${password}`, () => passwords.verifyPassword(hash, password));

function once<T>(known: Map<string, Promise<T>>, key: string, compute: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? compute();
  known.set(key, value);
  return value;
}
