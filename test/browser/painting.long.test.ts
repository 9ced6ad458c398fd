import { describe, expect, it } from '@jest/globals';
import type { Locator, Page, Request } from 'playwright-core';
import type { MaskPreview } from '#libs/contract/object-mask.js';
import { describeWithBrowser } from '../support/available.ts';
import { discMask, discOnBlue, pixelsOf } from '../support/image-files.ts';
import { until } from '../support/until.ts';
import { emulateTouch } from './touch.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { testRemoveBackground } from './remove-background.ts';
import { variants } from './screens.ts';
import { atRest, readDraftFiles, settledViolations, waitForStatusMessage } from './visitor.ts';

/** Masks and lines over a picture, by mouse, keyboard and touch; and the removal of backgrounds. */
describeWithBrowser('painting', () => {
  const suite = useBrowserSuite();

  // The preview of a mask is shown over the picture, corrected and used; the worker's objects are given.
  describe('the mask of an object', () => {
    const openForm = async () => {
      suite.allowComplaints(/status of 422/);
      const { page } = await suite.signedIn({ path: '/ai/remove-object' });
      await page.getByRole('button', { name: 'Try Premium here' }).click();
      await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
      const buffer = await discOnBlue(480, 360).jpeg().toBuffer();
      const input = page.getByLabel('Image', { exact: true });
      await input.setInputFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer });
      await page.getByAltText('Preview').waitFor();
      return page;
    };
    const show = (page: Page) => page.getByRole('button', { name: 'Show what will be removed' });

    it('is shown, chosen among several, corrected with the brush, and sent with the removal', async () => {
      const page = await openForm();
      const asked = await answerWith(page, twoCups);
      await page.getByLabel('Object to Remove').fill('cup');
      await show(page).click();
      await waitForStatusMessage(page, '2 cups found, all are selected. Also in the picture: a person.');
      await waitForMask(page);
      for (const { width, height, theme } of variants) {
        await page.setViewportSize({ width, height });
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        expect(await settledViolations(page)).toEqual([]);
      }

      await page.getByRole('radio', { name: 'All 2' }).focus();
      await page.keyboard.press('ArrowRight');
      await waitForStatusMessage(page, '2 cups found, cup 1 is selected. Also in the picture: a person.');
      await page.locator('button[aria-hidden=true]', { hasText: '2' }).click();
      await waitForStatusMessage(page, '2 cups found, cup 2 is selected. Also in the picture: a person.');
      expect(asked).toEqual([null, '0.25', '0.75']);

      const before = await waitForMask(page);
      await page.getByRole('radio', { name: 'Add', exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      const editor = page.getByRole('application', { name: 'Paint over the object' });
      await editor.press('Space');
      await until('less to be marked', async () => (await paintedShare(page)) < before);

      // Corrected, it is still there after a reload.
      await until('the mask to be kept', () => page.evaluate<boolean>(isLeftOutOfDraft(240, 180)));
      await page.reload();
      await waitForMask(page);

      const [removal] = await Promise.all([
        page.waitForRequest('**/api/ai/remove-image-object'),
        page.getByRole('button', { name: 'Remove Object' }).click(),
      ]);
      const mask = await pixelsOf(partOf(removal, 'mask'));
      // The middle was erased; the found mask stays around it, and there is none outside.
      expect([mask.at(240, 180)[3], mask.at(180, 180)[3], mask.at(10, 10)[3]]).toEqual([0, 255, 0]);
      await waitForStatusMessage(page, 'Object removed successfully');
    });

    it('is cleared with the name, and a missing object is reported', async () => {
      const page = await openForm();
      await answerWith(page, twoCups);
      await page.getByLabel('Object to Remove').fill('cup');
      await show(page).click();
      await waitForMask(page);
      await page.unroute('**/remove-image-object/mask');
      const message = 'No “boat” was found in this picture. I see a person in it.';
      await page.route('**/remove-image-object/mask', (route) =>
        route.fulfill({
          status: 422,
          json: { success: false, code: 'ENGINE_CANNOT', message, requestId: 'r' },
        }),
      );
      await page.getByLabel('Object to Remove').fill('boat');
      await until('the mask to be cleared', async () => (await paintedShare(page)) === 0);
      await show(page).click();
      await page.getByText(message).waitFor();
      expect(await settledViolations(page)).toEqual([]);
    });

    it('is taken from the picture by a click, without a name', async () => {
      const page = await openForm();
      // Without a name, the answer has only what is there.
      const asked = await answerWith(page, async () => {
        const { objects, ...preview } = await twoCups('0.75');
        return { ...preview, objects: objects.filter(({ chosen }) => chosen) };
      });
      await page.getByText('Click', { exact: true }).click();
      const editor = page.getByRole('application', { name: 'Paint over the object' });
      const { width, height } = (await editor.boundingBox())!;
      await editor.click({ position: { x: width * 0.75, y: height / 2 } });
      await waitForStatusMessage(page, 'Found: a cup. Also in the picture: a person.');
      expect(Number(asked[0])).toBeCloseTo(0.75, 1);
      await waitForMask(page);
      expect(await settledViolations(page)).toEqual([]);
      const [removal] = await Promise.all([
        page.waitForRequest('**/api/ai/remove-image-object'),
        page.getByRole('button', { name: 'Remove Object' }).click(),
      ]);
      expect(removal.postDataBuffer()?.toString('latin1')).toContain('name="object"\r\n\r\ncup\r\n');
    });
  });

  // Touch gestures on a phone.
  describe('touch', () => {
    const onPhone = async (path: string) => {
      const { page, account } = await suite.newUser();
      await account.post('/api/user/plan', { data: { plan: 'premium' } });
      await page.setViewportSize({ width: 390, height: 844 });
      const fingers = await emulateTouch(page);
      await page.goto(path);
      return { page, fingers };
    };

    it('paints with one finger, zooms and moves the picture with two, and handles a tap right after it', async () => {
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

    it('moves the divider between before and after to the finger, and lets the page scroll', async () => {
      const { page, fingers } = await onPhone('/ai/remove-background');
      const slider = page.getByRole('slider', { name: 'Compare before and after' });
      await slider.scrollIntoViewIfNeeded();
      await atRest(page);
      const valueIs = (value: string) =>
        until(`the line at ${value}%`, async () => (await slider.inputValue()) === value);
      // Content that loads late above it may move it.
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

  describe('the removal of a background', () => testRemoveBackground(suite));
});

const box = (left: number) => ({ left, right: left + 0.3, top: 0.2, bottom: 0.8 });

async function twoCups(point: string | null): Promise<MaskPreview> {
  const png = await discMask(240, 180);
  return {
    mask: `data:image/png;base64,${png.toString('base64')}`,
    width: 240,
    height: 180,
    objects: [0.1, 0.6].map((left, index) => ({
      ...{ name: 'cup', score: 0.9, box: box(left) },
      chosen: point === null || (point === '0.75') === (index === 1),
    })),
    others: [{ name: 'person', score: 0.8, box: box(0.4) }],
  };
}

/** Answers previews. @returns the live list of requested points */
async function answerWith(page: Page, preview: typeof twoCups): Promise<(string | null)[]> {
  const asked: (string | null)[] = [];
  await page.route('**/remove-image-object/mask', async (route) => {
    const sent = route.request().postDataBuffer()?.toString('latin1') ?? '';
    const point = /name="x"\r\n\r\n([\d.]+)/.exec(sent)?.[1] ?? null;
    asked.push(point);
    await route.fulfill({ json: { success: true, ...(await preview(point)) } });
  });
  return asked;
}

/** The share of the picture that is marked; nothing where there is no picture yet. */
const paintedShare = (page: Page) =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector('[role=application] > canvas');
    if (canvas === null) return 0;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, i) => i % 4 === 3 && value > 0).length / (data.length / 4);
  })()`);

/** Waits for a mask: its message is shown before it is painted. @returns its share of the picture */
const waitForMask = (page: Page) =>
  until('the mask', async () => {
    const share = await paintedShare(page);
    return share > 0.1 && share;
  });

/** Whether a draft in this browser has the found mask without this pixel. */
const isLeftOutOfDraft = (x: number, y: number) => `(async () => {
  for (const file of await ${readDraftFiles}) {
    const parts = file.name.startsWith('{"mask"') ? JSON.parse(file.name) : {};
    if (parts.found === undefined) continue;
    const image = await createImageBitmap(file.slice(0, parts.mask));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    if (context.getImageData(${x}, ${y}, 1, 1).data[3] === 0) return true;
  }
  return false;
})()`;

/** The bytes of a file in a multipart request. */
function partOf(request: Request, field: string): Buffer {
  const body = request.postDataBuffer() ?? Buffer.alloc(0);
  const start = body.indexOf('\r\n\r\n', body.indexOf(`name="${field}"`)) + 4;
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  return body.subarray(start, body.indexOf(`\r\n${boundary.toString()}`, start));
}

const scrolled = (page: Page) => page.evaluate<number>('scrollY');

async function placeOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  return box;
}
