import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { newAccount } from '../../test/browser/account.ts';

const WORDS = 5_000;
const KEYS = 300;
/** Milliseconds between two keys of a fast typist. */
const PACE_MS = 80;

/**
 * Types in the middle of a text of 5,000 words, which the editor saves at the same time.
 * @returns milliseconds of each key from its event until the page is drawn again, without waiting for the screen
 */
export async function millisecondsPerKey(address: string, executablePath: string): Promise<number[]> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu-vsync',
      '--disable-frame-rate-limit',
    ],
  });
  try {
    const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 900 } });
    const account = await newAccount(context, address, 'Tess Typist');
    const { creationId } = await account.post<{ creationId: string }>('/api/ai/rewrite-text', {
      data: { text: 'It is a text.', action: 'simpler' },
    });
    const { token } = (await (await context.request.get('/api/auth/token')).json()) as { token: string };
    await context.request.put(`/api/user/creations/${creationId}/content`, {
      headers: { authorization: `Bearer ${token}`, 'if-match': '"1"' },
      data: { content: longText(), session: randomUUID() },
    });
    const page = await context.newPage();
    await page.goto(`/ai/creations/${creationId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    const paragraphs = text.locator(':scope > p');
    await paragraphs.nth(Math.floor((await paragraphs.count()) / 2)).click();
    await page.keyboard.press('End');
    await page.evaluate(noteKeys);
    for (let key = 0; key < KEYS; key += 1) {
      await page.keyboard.press(key % 6 === 5 ? 'Space' : 'abcde'.charAt(key % 5));
      await pause(PACE_MS);
    }
    return await page.evaluate<number[]>('keyTimes');
  } finally {
    await browser.close();
  }
}

const noteKeys = `
  globalThis.keyTimes = [];
  const channel = new MessageChannel();
  let begun = [];
  channel.port1.onmessage = () => {
    for (const start of begun) keyTimes.push(performance.now() - start);
    begun = [];
  };
  addEventListener('keydown', ({ timeStamp }) => {
    begun.push(timeStamp);
    requestAnimationFrame(() => channel.port2.postMessage(null));
  }, { capture: true });`;

/** Headings, paragraphs and lists. */
function longText(): string {
  const parts: string[] = [];
  for (let words = 0; words < WORDS; words += 50) {
    const n = words / 50;
    if (n % 8 === 0) parts.push(`## Part ${n}`);
    parts.push(
      n % 5 === 4
        ? '- six words of a **short** item\n'.repeat(8)
        : 'It is a **text** of [ten](https://a.example) words, no more. '.repeat(5),
    );
  }
  return parts.join('\n\n');
}
