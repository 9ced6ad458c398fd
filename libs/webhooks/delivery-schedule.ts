const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Delay after each failed attempt. After the last one follows one more attempt. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Part of a delay that is random, so that the deliveries of an outage do not all arrive at once. */
const JITTER = 0.2;
/** Longer times in `Retry-After` are shortened to this. */
const RETRY_AFTER_MAX_MS = 24 * HOUR;
/** Pause of a webhook whose receiver is overloaded and names no time. */
const OVERLOAD_PAUSE_MS = MINUTE;
const FAILING_AFTER_MS = 3 * DAY;
const FAILING_AFTER_FAILURES = 20;

const overloadStatuses = [429, 502, 504];

/** The answer to a request; null if there was none. */
export interface ReceiverAnswer {
  status: number;
  retryAfter: string | null;
}

/** Milliseconds until the next attempt; null after the last one. @param failures failed attempts, at least 1 @param random from 0 to 1 */
export function nextDelayMs(failures: number, random: number, retryAfterMs = 0): number | null {
  const delay = DELAYS_MS[failures - 1];
  return delay === undefined ? null : Math.max(delay * (1 - JITTER / 2 + JITTER * random), retryAfterMs);
}

/** Value of `Retry-After`: seconds or a date. 0 if it is absent or no such value. */
export function retryAfterMs(value: string | null, now: number): number {
  if (value === null) return 0;
  const milliseconds = /^\d+$/.test(value.trim()) ? Number(value) * SECOND : Date.parse(value) - now;
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), RETRY_AFTER_MAX_MS);
}

/** Milliseconds for which nothing more is sent to the receiver. */
export const pauseMs = (answer: ReceiverAnswer | null, now: number): number =>
  answer !== null && overloadStatuses.includes(answer.status)
    ? retryAfterMs(answer.retryAfter, now) || OVERLOAD_PAUSE_MS
    : 0;

/** @returns why a webhook is switched off after a failed attempt; null if it stays on */
export function offReasonAfter(
  answer: ReceiverAnswer | null,
  { failures, failingSince }: { failures: number; failingSince: Date },
  now: number,
): 'gone' | 'failing' | null {
  if (answer?.status === 410) return 'gone';
  const isFailing = failures >= FAILING_AFTER_FAILURES && now - failingSince.getTime() >= FAILING_AFTER_MS;
  return isFailing ? 'failing' : null;
}
