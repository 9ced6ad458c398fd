import { describe } from '@jest/globals';
import { findProgram, type MachineProgram } from './machine-programs.ts';

/** In CI nothing is skipped: there the suite runs, and fails, without its program. */
const runs = (program: MachineProgram) => findProgram(program) !== null || process.env.CI === 'true';

/** `describe` for suites on Redis: skipped where there is no redis-server, except in CI. */
export const describeWithRedis = runs('redis') ? describe : describe.skip;

/** `describe` for suites in a browser: skipped where there is no Chromium, except in CI. */
export const describeWithBrowser = runs('browser') ? describe : describe.skip;

/** `describe` for suites behind PgBouncer, with the queue on Redis: skipped where one of them is missing, except in CI. */
export const describeWithPgBouncer = runs('pgbouncer') && runs('redis') ? describe : describe.skip;

/** `describe` for suites of the proxy: skipped where there is no HAProxy, except in CI. */
export const describeWithProxy = runs('haproxy') ? describe : describe.skip;
