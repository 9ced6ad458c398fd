import { afterAll, expect, it } from '@jest/globals';
import { closeTestModels, describeWithModels, testModels } from '../../test/support/models.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { measurePdf, type Share } from './pdf/measure.ts';

allowTimeForPrograms();

const rate = ({ hits, of }: Share) => hits / of;

/** Floors a little below the measured 40, 42, 14, 1 and 45 hits. */
it('finds the page of an answer, and recognises unanswerable questions', async () => {
  const quality = await measurePdf();
  expect(quality.pageAt1.of).toBeGreaterThanOrEqual(20);
  expect(quality.refused.of).toBeGreaterThanOrEqual(10);
  expect(rate(quality.pageAt1)).toBeGreaterThanOrEqual(0.84);
  expect(rate(quality.pageAt3)).toBeGreaterThanOrEqual(0.9);
  expect(rate(quality.refused)).toBeGreaterThanOrEqual(0.86);
  expect(rate(quality.refusedWrongly)).toBeLessThanOrEqual(0.05);
  expect(rate(quality.pageInPrompt)).toBeGreaterThanOrEqual(0.95);
});

afterAll(closeTestModels);

/** Floors a little below the measured 43, 44, 13, 0 and 44 hits. Real documents take minutes: `npm run quality -- pdf`. */
describeWithModels('by meaning', () => {
  it('finds more, also in other words', async () => {
    const quality = await measurePdf(testModels());
    expect(rate(quality.pageAt1)).toBeGreaterThanOrEqual(0.93);
    expect(rate(quality.pageAt3)).toBeGreaterThanOrEqual(0.93);
    expect(rate(quality.refused)).toBeGreaterThanOrEqual(0.8);
    expect(rate(quality.refusedWrongly)).toBeLessThanOrEqual(0.03);
    expect(rate(quality.pageInPrompt)).toBeGreaterThanOrEqual(0.93);
  });
});
