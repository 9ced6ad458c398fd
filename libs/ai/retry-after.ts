/**
 * Reads `retry-after-ms`, or otherwise `Retry-After`, which is in seconds or an HTTP date (RFC 9110, 10.2.3).
 * @returns milliseconds to wait; undefined if both headers are missing or invalid
 */
export function readRetryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = readNumber(headers?.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers?.get('retry-after');
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(value: string | null | undefined): number | undefined {
  if (!value?.trim()) return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
