import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './retry-after.js';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('reads %j as %s ms', (headers, expected) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });

  it('is undefined without headers', () => {
    expect(readRetryAfter(undefined, now)).toBeUndefined();
  });
});
