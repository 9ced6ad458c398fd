import { describe, expect, it } from '@jest/globals';
import { buildJob, buildProgress } from '../../../../../test/web/build-job.js';
import { percentText, priorityText, displayedProgress, waitingText } from './displayed-progress.js';

const estimated = (expectedSeconds: { from: number; to: number } | null) =>
  buildJob({ progress: buildProgress({ percent: 5, kind: 'estimated', measure: null, expectedSeconds }) });

describe('The progress of a job', () => {
  it.each([
    [{ from: 20, to: 40 }, 12, 'about 27%', '12 s, usually 20 to 40 s'],
    [{ from: 20, to: 40 }, 61, 'about 92%', '61 s, longer than the usual 20 to 40 s'],
    [{ from: 100, to: 200 }, 100, 'about 45%', '2 min, usually 2 to 3 min'],
    [{ from: 9.8, to: 10.3 }, 2, 'about 17%', '2 s, usually 10 s'],
    [{ from: 0.1, to: 0.3 }, 0.1, 'about 9%', '0 s, usually less than a second'],
    [null, 12, '', '12 s so far'],
  ])('shows the time next to the usual one: %j after %d s', (expected, seconds, percent, detail) => {
    const shown = displayedProgress(estimated(expected), seconds);
    expect([percentText(shown), shown.detail]).toEqual([percent, detail]);
  });

  it('shows the measured progress and the attempt', () => {
    expect(displayedProgress(buildJob(), 50)).toEqual({
      kind: 'measured',
      percent: 40,
      detail: '320 of 800 words',
    });
    const measure = { done: 12_300_000, total: 45_000_000, unit: 'bytes' as const };
    const again = buildJob({ attempts: 2, progress: buildProgress({ measure }) });
    expect(displayedProgress(again, 50).detail).toMatch(/^2nd try\. 1[12]\.\d MB of 4\d(\.\d)? MB$/);
  });

  it.each([
    ['ahead', { premium: 2, own: 1, others: 0 }, '2 premium jobs and 1 of yours ahead of it'],
    ['ahead', { premium: 0, own: 1, others: 0 }, '1 job of yours ahead of it'],
    ['ahead', { premium: 1, own: 2, others: 3 }, '1 premium job, 2 of yours and 3 of others ahead of it'],
    ['ahead', { premium: 0, own: 0, others: 1_200 }, '1,200 jobs of others ahead of it'],
    ['busy', { premium: 0, own: 0, others: 0 }, 'Next in the queue. All workers are busy'],
    ['retry', { premium: 0, own: 0, others: 0 }, null],
  ] as const)('says why it waits: %s, %j', (reason, ahead, text) => {
    expect(waitingText(buildJob({ status: 'queued', waiting: { reason, ahead } }))).toBe(text);
  });

  it('shows the gain from priority', () => {
    expect(priorityText(buildJob({ wentAheadOf: 12 }))).toBe('Premium: went ahead of 12');
    expect(priorityText(buildJob({ status: 'queued', wentAheadOf: 12 }))).toBe('Premium: goes ahead of 12');
    expect(priorityText(buildJob({ wentAheadOf: 0 }))).toBeNull();
  });
});
