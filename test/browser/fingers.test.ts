import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { discOnBlue } from '../support/image-files.ts';
import { until } from '../support/until.ts';
import { fingersOn } from './fingers.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { atRest } from './visitor.ts';

/** Touch gestures on a phone. */
describeWithBrowser('fingers', () => {
  const suite = useBrowserSuite();

  const onPhone = async (path: string) => {
    const { page, account } = await suite.newUser();
    await account.post('/api/user/plan', { data: { plan: 'premium' } });
    await page.setViewportSize({ width: 390, height: 844 });
    const fingers = await fingersOn(page);
    await page.goto(path);
    return { page, fingers };
  };

  it('paints with one finger, zooms and moves the picture with two, and takes the tap that follows at once', async () => {
    const { page, fingers } = await onPhone('/ai/remove-object');
    const buffer = await discOnBlue(480, 360).png().toBuffer();
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'disc.png', mimeType: 'image/png', buffer });
    const canvas = page.getByRole('application', { name: 'Paint over the object' });
    const undo = page.getByRole('button', { name: 'Undo' });
    await canvas.waitFor();
    await atRest(page);
    const strokes = (count: number) =>
      page.getByText(`${count} ${count === 1 ? 'change' : 'changes'}`).waitFor({ state: 'attached' });

    await canvas.scrollIntoViewIfNeeded();
    const top = await scrolled(page);
    const { x, y } = await placeOf(canvas);
    await fingers.drag([x + 60, y + 150], [x + 70, y + 40]);
    await strokes(1);
    expect(await scrolled(page)).toBe(top);

    // Chromium mostly ignores it where the page did not prevent its own dragging.
    for (let time = 0; time < 4; time += 1) {
      const { x: left, y: above, width, height } = await placeOf(undo);
      await fingers.drag([x + 60, y + 60], [x + 200, y + 90]);
      await strokes(2);
      await fingers.tap([left + width / 2, above + height / 2]);
      await strokes(1);
    }

    // The first finger's stroke is none once the second comes, and the page stays where it is.
    const place = await placeOf(canvas.getByAltText('Preview'));
    const now = await placeOf(canvas);
    const [across, down] = [now.x + now.width / 2, now.y + now.height / 2];
    await fingers.spread([across, down], 180);
    const width = async () => (await placeOf(canvas.getByAltText('Preview'))).width;
    await until('the picture to be three times as large', async () => (await width()) > 2.9 * place.width);
    const { y: above } = await placeOf(canvas.getByAltText('Preview'));
    await fingers.dragTwo([across - 30, down], [across - 30, down + 60]);
    await until('the picture to be moved', async () => {
      const moved = (await placeOf(canvas.getByAltText('Preview'))).y - above;
      return moved > 50 && moved < 70;
    });
    expect(await scrolled(page)).toBe(top);
    await strokes(1);
  });

  it('moves the line between before and after to the finger, and scrolls past it', async () => {
    const { page, fingers } = await onPhone('/ai/remove-background');
    const slider = page.getByRole('slider', { name: 'Compare before and after' });
    await slider.scrollIntoViewIfNeeded();
    await atRest(page);
    const valueIs = (value: string) =>
      until(`the line at ${value}%`, async () => (await slider.inputValue()) === value);
    // What comes late above it may move it.
    const at = async (percent: number) => {
      const { x, y, width, height } = await placeOf(slider);
      return [x + (width * percent) / 100, y + height / 2] as const;
    };

    await fingers.drag(await at(50), await at(20));
    await valueIs('20');
    await fingers.tap(await at(75));
    await valueIs('75');

    const top = await scrolled(page);
    const { x, y, width } = await placeOf(slider);
    await fingers.drag([x + width / 2, y + 20], [x + width / 2 + 8, y + 180]);
    await until('the page to scroll', async () => (await scrolled(page)) < top);
    await valueIs('75');
  });
});

const scrolled = (page: Page) => page.evaluate<number>('scrollY');

async function placeOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  return box;
}
