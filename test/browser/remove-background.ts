import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { discOnBlue } from '../support/image-files.ts';
import { until } from '../support/until.ts';
import type { BrowserSuite } from './browser-suite.ts';
import { variants } from './screens.ts';
import { settledViolations, waitForStatusMessage } from './visitor.ts';

/** Tests of the page that removes backgrounds: a box around what to keep, a new background, a batch. */
export function testRemoveBackground(suite: BrowserSuite): void {
  it('draws a box around the subject with mouse or keyboard, and sends it with the picture', async () => {
    const { page } = await suite.signedIn({ path: '/ai/remove-background' });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
    const buffer = await discOnBlue(480, 360).jpeg().toBuffer();
    const input = page.getByLabel('Image', { exact: true });
    await input.setInputFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('button', { name: 'Draw a box' }).click();
    const area = page.getByRole('application', { name: 'Draw a box around what to keep' });
    await until('the picture to be loaded', () =>
      area.getByAltText('Preview').evaluate((image) => 'naturalWidth' in image && image.naturalWidth === 480),
    );
    const { x, y, width, height } = (await area.boundingBox())!;
    await page.mouse.move(x + width * 0.75, y + height * 0.8);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.25, y + height * 0.2, { steps: 4 });
    await page.mouse.up();
    await waitForStatusMessage(page, 'Box from 25% to 75% across and from 20% to 80% down');
    for (const { width: wide, height: high, theme } of variants) {
      await page.setViewportSize({ width: wide, height: high });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await settledViolations(page)).toEqual([]);
    }

    await page.getByRole('button', { name: 'Remove box' }).click();
    await page.keyboard.press('Enter');
    await area.press('Space');
    await area.press('ArrowLeft');
    await area.press('Shift+ArrowDown');
    await waitForStatusMessage(page, 'Box from 18% to 78% across and from 20% to 82% down');
    // Playwright has the body of a request with a file only where requests are routed.
    await page.route('**/api/ai/remove-image-background', (route) => route.continue());
    const [sent] = await Promise.all([
      page.waitForRequest('**/api/ai/remove-image-background'),
      page.getByRole('button', { name: 'Remove Background' }).click(),
    ]);
    const body = sent.postDataBuffer()?.toString('latin1') ?? '';
    const edges = ['left', 'top', 'right', 'bottom'].map((name) =>
      Number(new RegExp(`name="${name}"\\r\\n\\r\\n([\\d.]+)`).exec(body)?.[1]).toFixed(2),
    );
    expect(edges).toEqual(['0.18', '0.20', '0.78', '0.82']);
    await waitForStatusMessage(page, 'Background removed successfully');
  });
  it('gives a cut-out a background, a shadow and a size, as a version that can be undone', async () => {
    const { page } = await suite.signedIn({ path: '/ai/remove-background' });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
    const buffer = await discOnBlue(480, 360).jpeg().toBuffer();
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('button', { name: 'Remove Background' }).click();
    const isWide = (selector: string, width: number) =>
      until(`${selector} of ${width} pixels`, async () => {
        const widths = `(({ naturalWidth, width } = {}) => naturalWidth ?? width)`;
        return (await page.evaluate(`${widths}(document.querySelector('${selector}') ?? {})`)) === width;
      });
    await page.getByRole('button', { name: 'Background and size' }).click();
    await page.getByText('480 × 360 pixels').waitFor();
    // The drawn preview is as wide as the picture; an empty canvas has 300 pixels.
    await isWide('canvas[role="img"]', 480);
    await page.getByRole('radio', { name: 'Blurred original' }).press('Space');
    await page.getByRole('tab', { name: 'Background' }).press('ArrowRight');
    await page.getByRole('switch', { name: 'Soft shadow' }).press('Space');
    for (const { width, height, theme } of [variants[0]!, variants.at(-1)!]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await settledViolations(page)).toEqual([]);
    }
    await page.getByRole('tab', { name: 'Frame' }).click();
    await page.getByLabel('Size', { exact: true }).selectOption('ebay');
    await page.getByRole('tab', { name: 'Format' }).click();
    await page.getByText('JPEG', { exact: true }).click();
    await page.getByRole('button', { name: 'Save version' }).click();
    await waitForStatusMessage(page, 'Version saved');
    const shown = page.getByRole('img', { name: 'Background removed from harbour.jpg' });
    await isWide('img[alt="Background removed from harbour.jpg"]', 1600);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^harbour-.*background.*\.jpg$/);
    const { data, info } = await sharp(await readFile(await download.path()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([1600, 1600, 3]);
    // eBay's white in the corner, the disc in the middle.
    expect(data[0]).toBeGreaterThan(250);
    const middle = 3 * (800 * 1600 + 800);
    expect(Math.min(...data.subarray(middle, middle + 3))).toBeLessThan(200);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const result = page.getByRole('region', { name: 'Result' });
    await until('the result in view', async () => {
      const box = await result.boundingBox();
      return box !== null && box.y >= 0 && box.y < 400;
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Versions (2)' }).click();
    expect(await page.getByRole('list', { name: 'Versions' }).getByRole('listitem').count()).toBe(2);
    await page.getByRole('button', { name: 'Restore version 1, As it was made' }).click();
    await isWide('img[alt="Background removed from harbour.jpg"]', 480);
    expect(await shown.count()).toBe(1);
  });

  it('takes a picture that the browser cannot show, and judges it by its bytes', async () => {
    const { page } = await suite.signedIn({ path: '/ai/remove-background' });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
    const buffer = await readFile('test/support/duck.heic');
    await page.getByLabel('Image', { exact: true }).setInputFiles({ name: 'IMG 1', mimeType: '', buffer });
    await page.getByText('Your browser cannot show this picture.').waitFor();
    await page.getByRole('button', { name: 'Remove Background' }).click();
    await page.getByRole('img', { name: 'Background removed from IMG 1' }).waitFor();
  });

  it('starts a batch with several pictures, which continues after a lost connection and a reload', async () => {
    const { page } = await suite.signedIn({ path: '/ai/remove-background' });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
    const buffer = await discOnBlue(240, 180).png().toBuffer();
    const sends = '**/api/batches/*/items/*';
    suite.allowComplaints(/ERR_FAILED/);
    await page.route(sends, (route) => route.abort());
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles(['a.png', 'a.png'].map((name) => ({ name, mimeType: 'image/png', buffer })));
    await page.getByText('Included in your plan: no credits.').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Pressroom did not respond').waitFor();
    await until('the browser to keep all files', async () => {
      const kept = await page.evaluate(`new Promise((resolve) => {
        const opened = indexedDB.open('batches');
        opened.onsuccess = () => {
          const keys = opened.result.transaction('files').objectStore('files').getAllKeys();
          keys.onsuccess = () => (opened.result.close(), resolve(keys.result.length));
        };
      })`);
      return kept === 2;
    });
    await page.unroute(sends);
    await page.reload();
    // A busy machine computes for a minute.
    await page.getByText('2 of 2 done').first().waitFor({ timeout: 180_000 });
    for (const { width, height, theme } of variants) {
      await page.setViewportSize({ width, height });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await settledViolations(page)).toEqual([]);
    }
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download ZIP' }).click(),
    ]);
    const zip = await readFile(await download.path());
    for (const name of ['a.png', 'a (2).png']) expect(zip.includes(name)).toBe(true);
    await page.getByRole('button', { name: /Your work/ }).click();
    await page.getByRole('button', { name: 'Dismiss: Remove Background: 2 pictures' }).click();
    await page.goto('/ai');
    await page.getByRole('link', { name: 'All batches' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A tool, a page, or something you made').fill('2 pictures');
    await page.getByRole('option', { name: /^Remove Background: 2 pictures/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All batches' }).click();
    await page.getByRole('link', { name: /Remove Background: 2 pictures/ }).waitFor();
  });
}
