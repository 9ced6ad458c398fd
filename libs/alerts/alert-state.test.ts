import { describe, expect, it } from '@jest/globals';
import type { AlertEntity } from '#libs/database/entities/alerts.js';
import { isDue, nextStatus } from './alert-state.js';

const now = Date.parse('2026-11-28T12:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1_000);
/** @param times seconds since it began and since it was last seen */
const alert = (times: [number, number], fields: Partial<AlertEntity> = {}) => ({
  ...{ name: 'NoWorker', status: 'pending' as const, sent: {} },
  ...{ startsAt: ago(times[0]), seenAt: ago(times[1]), endsAt: null },
  ...fields,
});
const sent = (status: 'firing' | 'resolved', seconds = 60) => ({
  sent: { mail: { status, at: ago(seconds).toISOString() } },
});

const resolvedAt = (seconds: number) => ({ endsAt: ago(seconds), ...sent('firing') });

describe('an alert', () => {
  it.each([
    ['waits until its condition has held long enough', alert([45, 0]), 'pending'],
    ['fires then', alert([60, 0]), 'firing'],
    ['does not fire for a condition that was seen once', alert([90, 80]), null],
    [
      'goes on firing while it is not seen for a short time',
      alert([900, 100], { status: 'firing' }),
      'firing',
    ],
    ['is deleted if nobody was told', alert([900, 120], { status: 'firing' }), null],
    ['is resolved', alert([900, 120], { status: 'firing', ...sent('firing') }), 'resolved'],
    ['is deleted when all know', alert([900, 300], { status: 'resolved', ...sent('resolved') }), null],
    ['waits until all know', alert([900, 300], { status: 'resolved', ...resolvedAt(60) }), 'resolved'],
    [
      'is deleted if nobody knows after a day',
      alert([900, 300], { status: 'resolved', ...resolvedAt(86_400) }),
      null,
    ],
    ['fires again', alert([900, 0], { status: 'resolved', ...sent('firing') }), 'firing'],
    ['of an unknown name fires at once', alert([0, 0], { name: 'Other' }), 'firing'],
  ])('%s', (_, given, expected) => {
    expect(nextStatus(given, now)).toBe(expected);
  });

  it.each([
    ['pending', {}, false],
    ['firing', {}, true],
    ['firing', sent('firing'), false],
    ['firing', sent('firing', 4 * 3_600), true],
    ['firing', sent('resolved'), true],
    ['resolved', sent('firing'), true],
    ['resolved', sent('resolved'), false],
    ['resolved', {}, false],
  ] as const)('that is %s and of which a receiver knows %j is sent: %s', (status, known, expected) => {
    expect(isDue({ status, sent: {}, ...known }, 'mail', now)).toBe(expected);
  });
});
