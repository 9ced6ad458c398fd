import { expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import type { MaskPreview } from '#libs/contract/object-mask.js';
import { describeWithBrowser } from '../support/available.ts';
import { discMask, discOnBlue, pixelsOf } from '../support/image-files.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { variants } from './screens.ts';
import { readDraftFiles, settledViolations, waitForStatusMessage } from './visitor.ts';

/** What a removal would take out is shown over the picture, corrected, and used; the worker's finding is given. */
describeWithBrowser('the mask of an object', () => {
  const suite = useBrowserSuite({ allowedComplaints: /status of 422/ });

  const openForm = async () => {
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
    await waitForStatusMessage(page, '2 cups found, all are chosen. Also in the picture: a person.');
    await maskToBeShown(page);
    for (const { width, height, theme } of variants) {
      await page.setViewportSize({ width, height });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await settledViolations(page)).toEqual([]);
    }

    await page.getByRole('radio', { name: 'All 2' }).focus();
    await page.keyboard.press('ArrowRight');
    await waitForStatusMessage(page, '2 cups found, cup 1 is chosen. Also in the picture: a person.');
    await page.locator('button[aria-hidden=true]', { hasText: '2' }).click();
    await waitForStatusMessage(page, '2 cups found, cup 2 is chosen. Also in the picture: a person.');
    expect(asked).toEqual([null, '0.25', '0.75']);

    const before = await maskToBeShown(page);
    await page.getByRole('radio', { name: 'Add', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    const editor = page.getByRole('application', { name: 'Paint over the object' });
    await editor.press('Space');
    await until('less to be marked', async () => (await paintedShare(page)) < before);

    // Corrected, it is still there after a reload.
    await until('the mask to be kept', () => page.evaluate<boolean>(isLeftOutOfDraft(240, 180)));
    await page.reload();
    await maskToBeShown(page);

    const [removal] = await Promise.all([
      page.waitForRequest('**/api/ai/remove-image-object'),
      page.getByRole('button', { name: 'Remove Object' }).click(),
    ]);
    const mask = await pixelsOf(partOf(removal, 'mask'));
    // The middle was taken away, beside it the found mask stays, and outside there is none.
    expect([mask.at(240, 180)[3], mask.at(180, 180)[3], mask.at(10, 10)[3]]).toEqual([0, 255, 0]);
    await waitForStatusMessage(page, 'Object removed successfully');
  });

  it('is dropped with the name, and what is not there is told', async () => {
    const page = await openForm();
    await answerWith(page, twoCups);
    await page.getByLabel('Object to Remove').fill('cup');
    await show(page).click();
    await maskToBeShown(page);
    await page.unroute('**/remove-image-object/mask');
    const message = 'No “boat” was found in this picture. I see a person in it.';
    await page.route('**/remove-image-object/mask', (route) =>
      route.fulfill({
        status: 422,
        json: { success: false, code: 'ENGINE_CANNOT', message, requestId: 'r' },
      }),
    );
    await page.getByLabel('Object to Remove').fill('boat');
    await until('the mask to be gone', async () => (await paintedShare(page)) === 0);
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
    await waitForStatusMessage(page, 'At that place: a cup. Also in the picture: a person.');
    expect(Number(asked[0])).toBeCloseTo(0.75, 1);
    await maskToBeShown(page);
    expect(await settledViolations(page)).toEqual([]);
    const [removal] = await Promise.all([
      page.waitForRequest('**/api/ai/remove-image-object'),
      page.getByRole('button', { name: 'Remove Object' }).click(),
    ]);
    expect(removal.postDataBuffer()?.toString('latin1')).toContain('name="object"\r\n\r\ncup\r\n');
  });
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

/** Answers previews. @returns the points that were asked for, as they are */
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

/** Waits for a mask: its message is said before it is painted. @returns its share of the picture */
const maskToBeShown = (page: Page) =>
  until('a mask to be shown', async () => {
    const share = await paintedShare(page);
    return share > 0.1 && share;
  });

/** Whether a draft in this browser has a mask that leaves this pixel out, beside what was found. */
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
