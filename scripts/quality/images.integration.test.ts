import { afterAll, expect, it } from '@jest/globals';
import { measureCutOut, summarize } from './images/cut-outs.ts';
import { measureFillings } from './images/fillings.ts';
import { measureName } from './images/named-objects.ts';
import { readPhotographs } from './images/photographs.ts';
import { closeTestModels, describeWithModels, testModels } from '../../test/support/models.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();
afterAll(closeTestModels);

/** Some photographs of the half that nothing is tuned on; `npm run quality -- images` measures them all. */
const cutOutOf = ['bison', 'chair'];
/** The ball fills its picture: it is found at the second look. */
const namedIn = ['chelsea', 'sheep', 'baseball'];

describeWithModels('on real photographs', () => {
  const models = testModels();

  it('cuts subjects out as a person would, with a better rim than the model alone', async () => {
    const figures = [];
    for (const { mask, ...photograph } of await readPhotographs())
      if (mask && cutOutOf.includes(photograph.name))
        figures.push(await measureCutOut({ ...photograph, mask }, models));
    const { mean, worst, rim, plainMean, plainRim, count } = summarize(figures);
    expect(count).toBe(cutOutOf.length);
    expect(mean).toBeGreaterThan(0.935);
    expect(mean).toBeGreaterThan(plainMean);
    expect(worst).toBeGreaterThan(0.87);
    expect(rim).toBeLessThan(plainRim * 0.75);
  });

  it('finds things by their name, where they are', async () => {
    for (const { shows, ...photograph } of await readPhotographs())
      if (shows && namedIn.includes(photograph.name))
        expect(await measureName({ ...photograph, shows }, models)).toMatchObject({ isRight: true });
  });
});

it('cuts out by colour alone where the model is missing and colours differ', async () => {
  const flower = (await readPhotographs()).find(({ name }) => name === 'flower');
  if (!flower?.mask) throw new Error('There is no such photograph.');
  const { made } = await measureCutOut({ ...flower, mask: flower.mask }, null);
  expect(made?.iou).toBeGreaterThan(0.85);
});

it('fills in for small objects so that little is seen of it', async () => {
  const figures = await measureFillings(480);
  expect(figures.length).toBeGreaterThanOrEqual(6);
  for (const { decibels, hard } of figures) expect(decibels).toBeGreaterThan(hard ? 14 : 18);
  expect(figures.reduce((sum, { decibels }) => sum + decibels, 0) / figures.length).toBeGreaterThan(26);
});
