/**
 * Loaded into a program by `--import`. SIGUSR2 moves the program's clock, `Date`, by the milliseconds in a file. Timers and
 * `performance.now()` continue, as when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const RealDate = Date;
let offset = 0;
const now = () => RealDate.now() + offset;

if (isMainThread && process.env.CHAOS_CLOCK_FILE) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  RealDate.prototype.constructor = globalThis.Date;
  process.on('SIGUSR2', () => {
    offset = Number(readFileSync(process.env.CHAOS_CLOCK_FILE, 'utf8'));
  });
}
