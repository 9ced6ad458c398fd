import { expect, it } from '@jest/globals';
import { measureCutOuts, measureFillings } from './images/measure.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

it('cuts subjects out where their colours differ from the background’s', async () => {
  const figures = await measureCutOuts(400);
  const plain = figures.filter(({ hard }) => !hard);
  expect(plain.length).toBeGreaterThanOrEqual(6);
  for (const { value } of plain) expect(value).toBeGreaterThan(0.94);
  // A refusal is better than a wrong cut-out that is charged.
  for (const { value } of figures.filter(({ hard }) => hard)) expect(value ?? 1).toBeGreaterThan(0.5);
});

it('fills in for small objects so that little is seen of it', async () => {
  const figures = await measureFillings(480);
  expect(figures.length).toBeGreaterThanOrEqual(6);
  const decibels = figures.map(({ value }) => value ?? 0);
  for (const [k, { hard }] of figures.entries()) expect(decibels[k]).toBeGreaterThan(hard ? 14 : 18);
  expect(decibels.reduce((sum, value) => sum + value, 0) / decibels.length).toBeGreaterThan(26);
});
