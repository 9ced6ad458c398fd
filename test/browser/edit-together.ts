import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { Random } from '../../scripts/stack/random.ts';
import { until } from '../support/until.ts';

/** The words that two browsers wrote into one text. */
export interface WrittenTogether {
  /** As both show it in the end. */
  text: string;
  /** Every word that was typed, in the order of time. */
  words: string[];
  /** Conflicts: both changed the same paragraph, and one user chose. */
  conflicts: number;
  /** Requests that were cut off, before the server had them or after. */
  cuts: number;
}

const CONTENT = '**/api/user/creations/*/content';
const CREATION = /\/api\/user\/creations\/[\w-]{36}$/;

/** Words that each browser writes, however long that takes. */
const WORDS_AT_LEAST = 4;

/**
 * Two browsers that show the same text edit it, each at random places, while their connections are cut off at random.
 * Where a conflict is shown, both sides are kept. Then the connections hold until both have saved.
 */
export async function editTogether(
  pages: readonly [Page, Page],
  { seed, seconds }: { seed: number; seconds: number },
): Promise<WrittenTogether> {
  const editors = pages.map((page, index) => new Editor(page, 'ab'.charAt(index), new Random(seed + index)));
  await Promise.all(editors.map((editor) => editor.begin()));
  const end = performance.now() + seconds * 1_000;
  await Promise.all(editors.flatMap((editor) => [editor.write(end), editor.cutOff(end)]));
  for (const editor of editors) await editor.connect();
  const text = await until(
    'both editors to have saved the same text',
    async () => {
      for (const editor of editors) await editor.choose();
      const [one, other] = await Promise.all(editors.map((editor) => editor.savedText()));
      return one !== null && one === other && one;
    },
    { seconds: 60 },
  );
  const sum = (count: (editor: Editor) => number) => editors.reduce((total, each) => total + count(each), 0);
  return {
    text,
    words: editors.flatMap(({ words }) => words),
    conflicts: sum(({ conflicts }) => conflicts),
    cuts: sum(({ cuts }) => cuts),
  };
}

/** One browser with the text, and its user. */
class Editor {
  readonly words: string[] = [];
  conflicts = 0;
  cuts = 0;
  private readonly page: Page;
  private readonly context: BrowserContext;
  private readonly name: string;
  private readonly random: Random;

  constructor(page: Page, name: string, random: Random) {
    this.page = page;
    this.context = page.context();
    this.name = name;
    this.random = random;
  }

  async begin(): Promise<void> {
    await this.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await this.text.waitFor();
    await this.page.evaluate(countQuestions);
    await this.page.route(CONTENT, (route) => this.answer(route));
    await this.page.route(CREATION, (route) => this.answer(route));
  }

  /** Types words at random places. */
  async write(end: number): Promise<void> {
    const { page, random } = this;
    while (performance.now() < end || this.words.length < WORDS_AT_LEAST) {
      await this.choose();
      const asked = await this.questions();
      const paragraphs = this.text.locator(':scope > p');
      const at = Math.floor(random.next() * (await paragraphs.count()));
      const word = `${this.name}${this.words.length + 1}x`;
      try {
        // Beside the words, so that none is split; clicks at one place of the screen would select a paragraph.
        const { width } = (await paragraphs.nth(at).boundingBox({ timeout: 3_000 }))!;
        const x = width - 20 * (1 + (this.words.length % 3));
        await paragraphs.nth(at).click({ timeout: 3_000, position: { x, y: 10 } });
        await page.keyboard.press(random.chance(0.5) ? 'End' : 'Home');
        if (random.chance(0.1)) await page.keyboard.press('Enter');
        if (random.chance(0.5)) await page.keyboard.insertText(`${word} `);
        else await page.keyboard.type(`${word} `);
      } catch {
        // The paragraph was removed, or a question covers it.
        continue;
      }
      // A question may have taken the keys, and may have been answered since by what the other saved.
      if ((await this.text.innerText()).includes(word)) this.words.push(word);
      else if ((await this.questions()) === asked && !(await this.isAsked()))
        throw new Error(`${word} was typed and is not there.`);
      await pause(random.whole(10, 300));
    }
  }

  /** Has no connection at all from time to time. */
  async cutOff(end: number): Promise<void> {
    while (performance.now() < end) {
      await pause(this.random.whole(500, 3_000));
      await this.context.setOffline(true);
      await pause(this.random.whole(100, 1_500));
      await this.context.setOffline(false);
    }
  }

  async connect(): Promise<void> {
    await this.context.setOffline(false);
    await this.page.unrouteAll({ behavior: 'wait' });
  }

  /** Keeps both where both changed the same paragraph. */
  async choose(): Promise<void> {
    if (!(await this.isAsked())) return;
    this.conflicts += 1;
    const use = this.dialog.getByRole('button', { name: 'Use this' });
    // It may have been answered by what the other saved.
    await use.click({ timeout: 2_000 }).catch(() => undefined);
  }

  /** Null while something is unsaved. */
  async savedText(): Promise<string | null> {
    const isSaved = await this.page.getByText('Saved', { exact: true }).isVisible();
    if (!isSaved || (await this.isAsked())) return null;
    // An empty paragraph, which Markdown has not, is in one of them alone.
    return (await this.text.innerText()).replace(/\s*\n\s*/g, '\n').trim();
  }

  /** Also where a question covers it. */
  private get text() {
    return this.page.locator('.ProseMirror');
  }

  private get dialog() {
    return this.page.getByRole('dialog', { name: 'Changed in two places' });
  }

  private isAsked(): Promise<boolean> {
    return this.dialog.isVisible();
  }

  /** The number of requests so far. */
  private questions(): Promise<number> {
    return this.page.evaluate<number>('questions');
  }

  private async answer(route: Route): Promise<void> {
    const kind = this.random.weighted({ whole: 5, late: 2, request: 2, answer: 2 });
    try {
      if (kind === 'late') await pause(this.random.whole(200, 1_200));
      if (kind === 'answer') await route.fetch();
      if (kind === 'whole' || kind === 'late') return await route.continue();
      this.cuts += 1;
      await route.abort('connectionreset');
    } catch {
      // The page was closed, or its connection broke.
      await route.abort().catch(() => undefined);
    }
  }
}

/** Counts the questions of a page: a question may disappear before a test looks for it. */
const countQuestions = `{
  let isAsked = false;
  globalThis.questions = 0;
  new MutationObserver(() => {
    const wasAsked = isAsked;
    isAsked = document.querySelector('[role=dialog]') !== null;
    if (isAsked && !wasAsked) questions += 1;
  }).observe(document.body, { subtree: true, childList: true });
}`;
