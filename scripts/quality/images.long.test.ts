import { afterAll, expect, it } from '@jest/globals';
import { measureCutOut, summarize } from './images/cut-outs.ts';
import { measureFillings } from './images/fillings.ts';
import { measureName } from './images/named-objects.ts';
import { readPhotographs } from './images/photographs.ts';
import { measureRimColour } from './images/rims.ts';
import { closeTestModels, describeWithModels, testModels } from '../../test/support/models.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();
afterAll(closeTestModels);

/** Photographs from the half without tuning; `npm run quality -- images` measures all photographs. */
const withMask = ['bison', 'chair'];
/** The baseball fills its picture, so only the second pass finds it. */
const withName = ['chelsea', 'sheep', 'baseball'];

describeWithModels('on real photographs', () => {
  const models = testModels();

  it('cuts subjects out close to their masks, with a better rim than the model alone', async () => {
    const figures = [];
    for (const { mask, ...photograph } of await readPhotographs())
      if (mask && withMask.includes(photograph.name))
        figures.push(await measureCutOut({ ...photograph, mask }, models));
    const { mean, worst, rim, plainMean, plainRim, count } = summarize(figures);
    expect(count).toBe(withMask.length);
    expect(mean).toBeGreaterThan(0.935);
    expect(mean).toBeGreaterThan(plainMean);
    expect(worst).toBeGreaterThan(0.87);
    expect(rim).toBeLessThan(plainRim * 0.75);
  });

  it('leaves little of a green ground at the rim of fur', async () => {
    const panda = (await readPhotographs()).find(({ name }) => name === 'red-panda');
    if (!panda?.mask) throw new Error('There is no such photograph.');
    expect(await measureRimColour({ ...panda, mask: panda.mask }, models)).toBeLessThan(0.0075);
  });

  it('finds named objects in their place', async () => {
    for (const { shows, ...photograph } of await readPhotographs())
      if (shows && withName.includes(photograph.name))
        expect(await measureName({ ...photograph, shows }, models)).toMatchObject({ isRight: true });
  });
});

it('cuts out by colour if the model is missing and colours differ', async () => {
  const flower = (await readPhotographs()).find(({ name }) => name === 'flower');
  if (!flower?.mask) throw new Error('There is no such photograph.');
  const { result } = await measureCutOut({ ...flower, mask: flower.mask }, null);
  expect(result?.iou).toBeGreaterThan(0.85);
});

it('fills the place of small objects close to the true background', async () => {
  const figures = await measureFillings(480);
  expect(figures.length).toBeGreaterThanOrEqual(6);
  for (const { decibels, hard } of figures) expect(decibels).toBeGreaterThan(hard ? 14 : 18);
  expect(figures.reduce((sum, { decibels }) => sum + decibels, 0) / figures.length).toBeGreaterThan(26);
});
