import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Download, Page } from 'playwright-core';
import sharp from 'sharp';
import { describeWithBrowser } from '../support/available.ts';
import { discOnBlue, pixelsOf } from '../support/image-files.ts';
import { makePdf } from '../support/pdf.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { testNotebooks } from './notebooks.ts';
import { testPdfCitations } from './pdf-citations.ts';
import { variants } from './screens.ts';
import { clickTwice, waitForDraftFile, settledViolations, waitForStatusMessage } from './visitor.ts';

/** The image tools, the community and the chat with a PDF, in a real browser with the real api and worker. */
describeWithBrowser('images and chats', () => {
  const suite = useBrowserSuite();

  const onPremium = async (path: string) => {
    const { page } = await suite.signedIn({ path });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
    return page;
  };

  it('generates a public image with previews, which the community likes', async () => {
    const { page } = await suite.signedIn({ path: '/ai/generate-images' });
    await page.getByLabel('Description').fill('A lamp in the fog [[stop]]');
    await page.getByText('This is part of the premium plan').waitFor();
    const submit = page.getByRole('button', { name: 'Generate Image' });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    expect(await page.getByLabel('Realistic', { exact: true }).isChecked()).toBe(true);
    expect(await page.getByRole('switch').isChecked()).toBe(false);
    await page.getByRole('switch').click();
    await submit.click();
    const preview = page.getByAltText(/^A lamp in the fog.*, not finished$/);
    await preview.waitFor();
    await page.reload();
    await preview.waitFor();
    await suite.goOn();
    await waitForStatusMessage(page, 'Image Generated');
    await preview.waitFor({ state: 'detached' });
    const saved = await downloaded(page);
    expect(saved.suggestedFilename()).toMatch(/^ai-generated-image-\d+\.jpg$/);
    expect((await sharp(await bytesOf(saved)).metadata()).format).toBe('jpeg');
    expect(await settledViolations(page)).toEqual([]);

    await page.goto('/ai/community');
    const heart = page.getByRole('button', { name: 'Like: 0 people like this image' });
    await heart.focus();
    await page.getByText('A lamp in the fog').waitFor();
    const [read] = await Promise.all([
      page.waitForResponse('**/api/user/get-published-creations'),
      page.keyboard.press('Enter'),
    ]);
    expect(read.ok()).toBe(true);
    const liked = page.getByRole('button', { name: 'Like: 1 person likes this image' });
    await liked.waitFor();
    expect(await liked.getAttribute('aria-pressed')).toBe('true');
    expect(await settledViolations(page)).toEqual([]);
  });

  it('generates two at once, reuses a prompt, and uses a creation as the input', async () => {
    const page = await onPremium('/ai/generate-images');
    const asked = keysOf(page, '/api/ai/generate-image');
    const description = page.getByLabel('Description');
    await description.fill('A buoy');
    await page.getByRole('radio', { name: '2', exact: true }).check({ force: true });
    await clickTwice(page.getByRole('button', { name: 'Generate 2 Images' }));
    const group = page.getByRole('list', { name: '2 images of this request' });
    await group.locator('img').nth(1).waitFor();
    expect(asked.size).toBe(1);
    await group.getByRole('button', { name: 'Image 2: Done' }).click();
    await description.fill('Something else');
    await page.getByRole('link', { name: 'Change the prompt' }).click();
    await until('the prompt', async () => (await description.inputValue()) === 'A buoy');
    await until('the focus there', () => page.evaluate<boolean>(`document.activeElement.name === 'prompt'`));
    expect(await settledViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Send to…' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remove Background' }).press('Enter');
    await page.getByAltText('Preview').waitFor();
    await page.reload();
    await page.getByAltText('Preview').waitFor();
    const uploads: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/ai/remove-image-background')) uploads.push(request.postData());
    });
    await page.getByRole('button', { name: 'Remove Background' }).click();
    await waitForStatusMessage(page, 'Background removed successfully');
    expect(uploads).toEqual([expect.stringMatching(/^\{"creation":"[\w-]{36}"\}$/)]);
    await page.getByRole('button', { name: 'Remove image' }).click();
    await page.getByRole('heading', { name: 'Your result appears here' }).waitFor();
    await until('the address to name no creation', () => !page.url().includes('creation'));

    await page.goto('/ai');
    await page.getByRole('link', { name: /^Background removed from an earlier image/ }).click();
    const chain = page.getByRole('region', { name: 'Made from' });
    await chain.getByRole('link', { name: 'A buoy' }).waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await chain.getByRole('link', { name: 'A buoy' }).click();
    await page.getByRole('heading', { name: 'A buoy', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Again', exact: true }).click();
    await waitForStatusMessage(page, 'Image Generated');
  });

  it('removes a background, compares, and clears all with the preview', async () => {
    const page = await onPremium('/ai/remove-background');
    const submit = page.getByRole('button', { name: 'Remove Background' });
    await page.getByText('PNG, JPG, JPEG (MAX. 10MB)').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Image', { exact: true }).setInputFiles(await photo());
    await page.getByAltText('Preview').waitFor();
    await waitForDraftFile(page, 'disc.png');
    await page.reload();
    await page.getByAltText('Preview').waitFor();
    await submit.click();
    await waitForStatusMessage(page, 'Background removed successfully');
    const slider = page.getByRole('slider', { name: 'Compare before and after' });
    await slider.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('51% before, 49% after');
    const saved = await downloaded(page);
    expect(saved.suggestedFilename()).toMatch(/-no-background\.png$/);
    const cutOut = await pixelsOf(await bytesOf(saved));
    const middle = [cutOut.width / 2, cutOut.height / 2] as const;
    expect(cutOut.at(0, 0)[3]).toBe(0);
    expect(cutOut.at(...middle)[3]).toBe(255);
    expect(await settledViolations(page)).toEqual([]);

    // By keyboard: the middle is erased, and a corner is kept again with the box.
    await page.getByRole('button', { name: 'Edit cut-out' }).click();
    const editor = page.getByRole('application', { name: 'Paint what to keep and what to remove' });
    const changes = (text: string) => page.getByText(text).waitFor({ state: 'attached' });
    await editor.press('Enter');
    await changes('1 change');
    await editor.press('Control+z');
    await changes('Nothing changed');
    await editor.press('Control+y');
    const { x, y, width, height } = (await editor.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const zoomed = page.getByRole('button', { name: 'fit to view' });
    const whole = await zoomed.innerText();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(0, -400);
    await until('the picture to be larger', async () => (await zoomed.innerText()) !== whole);
    for (const key of ['0', 'k', 'r']) await editor.press(key);
    const picture = (await page.getByRole('dialog').getByAltText('Preview').boundingBox()) ?? { x, y };
    await page.mouse.move(picture.x + 1, picture.y + 1);
    await page.mouse.down();
    await page.mouse.move(picture.x + 60, picture.y + 50, { steps: 3 });
    await page.mouse.up();
    await changes('2 changes');
    // A dark phone and a light desktop.
    for (const { theme, ...size } of [variants[0]!, variants[3]!]) {
      await page.setViewportSize(size);
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await settledViolations(page)).toEqual([]);
    }

    // Another tab saves first: neither is lost.
    suite.allowComplaints(/status of 412/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Edit cut-out' }).click();
    await other.getByRole('application').press('Enter');
    await other.getByRole('button', { name: 'Save as version' }).click();
    await waitForStatusMessage(other, 'Saved as a new version');
    await page.getByRole('button', { name: 'Save as version' }).click();
    await page.getByText('This cut-out was changed elsewhere').waitFor();
    await page.getByRole('button', { name: 'Show other version' }).click();
    await page.getByAltText('The other version: Cut-out by hand').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save mine as newest' }).click();
    await waitForStatusMessage(page, 'Saved as a new version');
    await editor.waitFor({ state: 'detached' });
    const edited = await pixelsOf(await bytesOf(await downloaded(page)));
    expect(edited.at(...middle)[3]).toBe(0);
    const { data } = await sharp((await photo()).buffer)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(edited.at(5, 5)).toEqual([
      ...data.subarray((5 * edited.width + 5) * 3, (5 * edited.width + 5) * 3 + 3),
      255,
    ]);
    expect(edited.at(edited.width - 1, 0)[3]).toBe(0);
    await page.getByRole('button', { name: 'Remove image' }).click();
    await page.getByRole('heading', { name: 'Your result appears here' }).waitFor();
    expect(await page.getByAltText('Preview').count()).toBe(0);
    expect(await submit.isDisabled()).toBe(true);
  });

  it('accepts one object name, or a painted mask', async () => {
    const page = await onPremium('/ai/remove-object');
    const submit = page.getByRole('button', { name: 'Remove Object' });
    const asked = keysOf(page, '/api/ai/remove-image-object');
    await page.getByLabel('Image', { exact: true }).setInputFiles(await photo());
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Object to Remove').fill('red disc');
    await submit.click();
    await page.getByText('Please enter only one object name').first().waitFor();
    expect(asked.size).toBe(0);

    await page.getByLabel('Object to Remove').fill('');
    const canvas = page.getByRole('application', { name: 'Paint over the object' });
    await canvas.press('Space');
    await page.getByText('1 change').waitFor({ state: 'attached' });
    const box = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 5 });
    await page.mouse.up();
    await page.getByText('2 changes').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 change').waitFor({ state: 'attached' });
    expect(await settledViolations(page)).toEqual([]);
    await clickTwice(submit);
    await waitForStatusMessage(page, 'Object removed successfully');
    expect(asked.size).toBe(1);
    expect((await downloaded(page)).suggestedFilename()).toMatch(/-object-removed\.png$/);
    await page.getByRole('button', { name: 'Download as' }).click();
    const [converted] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'JPEG' }).click(),
    ]);
    expect(converted.suggestedFilename()).toMatch(/-object-removed\.jpg$/);
    expect(await sharp(await bytesOf(converted)).metadata()).toMatchObject({ format: 'jpeg', width: 480 });

    // Another one of the same picture and mask, which this browser keeps.
    const first = page.url();
    await page.reload();
    await page.getByRole('button', { name: 'Again', exact: true }).click();
    await until('the other to be shown', () => page.url() !== first);
    await waitForStatusMessage(page, 'Object removed successfully');
    expect(asked.size).toBe(2);
    await page.getByRole('slider', { name: 'Compare before and after' }).waitFor();
  });

  it('talks about a PDF, opens it again, and clears the history', async () => {
    const page = await onPremium('/ai/chat-with-pdf');
    await page.getByText('No previous chats found').waitFor();
    const box = page.getByRole('textbox', { name: 'Your question' });
    expect(await box.getAttribute('placeholder')).toBe('Upload a PDF to start chatting');
    expect(await box.isDisabled()).toBe(true);
    const input = page.getByLabel('Click or drag PDF to upload');
    await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
    await waitForStatusMessage(page, 'Please upload a valid PDF file');
    const buffer = await makePdf(['The lighthouse was built in 1874.', 'It has 212 steps.']);
    await input.setInputFiles({ name: 'lighthouse.pdf', mimeType: 'application/pdf', buffer });
    await page.getByPlaceholder('Ask questions about the PDF...').waitFor();
    expect(await page.getByLabel('Language of a scan').count()).toBe(0);
    await box.press('Enter');
    await waitForStatusMessage(page, 'Please enter your question');
    await box.fill('When was it built? [[words:150]] [[stop]]');
    await box.press('Shift+Enter');
    expect(await box.inputValue()).toMatch(/\n$/);
    const asked = keysOf(page, '/api/ai/chat-with-pdf');
    await page.evaluate(pressEnterTwice);
    await page.getByText('Generating response...').waitFor();
    expect(asked.size).toBe(1);
    await suite.goOn();
    await page.getByText('Generating response...').waitFor({ state: 'detached' });
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('PDF Assistant', { exact: true }).waitFor();
    expect(await box.inputValue()).toBe('');
    await messages.locator('.prose div').first().waitFor();
    const said = await messages.innerText();
    expect(await settledViolations(page)).toEqual([]);

    const cached = () =>
      page.evaluate<string[]>(`Object.keys(localStorage).filter((key) => key.startsWith('pdfChat_conv_'))`);
    expect(await cached()).toEqual(['pdfChat_conv_lighthouse.pdf']);
    await page.goto('/ai');
    await page.getByRole('link', { name: /lighthouse\.pdf/ }).click();
    await messages.getByText('PDF Assistant', { exact: true }).waitFor();
    await until('the same messages', async () => (await messages.innerText()) === said);
    expect(
      await page
        .getByRole('button', { name: 'lighthouse.pdf', exact: true })
        .first()
        .getAttribute('aria-current'),
    ).toBe('true');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await waitForStatusMessage(page, 'Chat history cleared');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'lighthouse.pdf', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('No previous chats found').waitFor();
    await page.getByRole('heading', { name: 'Chat with your PDF' }).waitFor();
    expect(await cached()).toEqual([]);
  });

  describe('citations of a PDF chat', () => testPdfCitations(suite));
  describe('notebooks', () => testNotebooks(suite));
});

/** The idempotency keys of the requests that a page sends there from now on. */
function keysOf(page: Page, path: string): ReadonlySet<string | undefined> {
  const keys = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.url().endsWith(path)) keys.add(request.headers()['idempotency-key']);
  });
  return keys;
}

/** In the field that has the focus, before the page can draw anything between the two. */
const pressEnterTwice = `for (const key of ['Enter', 'Enter'])
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`;

/** A red disc on blue, as a file input takes it. */
const photo = async () => ({
  name: 'disc.png',
  mimeType: 'image/png',
  buffer: await discOnBlue(480, 360).png().toBuffer(),
});

async function downloaded(page: Page): Promise<Download> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  return saved;
}

const bytesOf = async (saved: Download) => readFileSync(await saved.path());
