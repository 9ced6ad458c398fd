import { expect, it } from '@jest/globals';
import { until } from '../../../../../test/support/until.ts';
import type { FileDrafts } from '../../../shared/drafts/file-drafts';
import { MaskDocument } from './mask-document';
import { listMaskDrafts, MaskDraft, maskPng } from './mask-draft';
import type { runMaskWorker } from './run-mask-worker';

const size = { width: 4, height: 1 };
const inMemory = () => {
  const kept = new Map<string, File>();
  const files: FileDrafts = {
    read: async (name) => kept.get(name) ?? null,
    names: async (prefix) => [...kept.keys()].filter((name) => name.startsWith(prefix)),
    write: async (name, file) => void (file === null ? kept.delete(name) : kept.set(name, file)),
    clearAll: async () => kept.clear(),
  };
  return files;
};

/** A fake mask worker whose "PNG" is the raw pixels. With `waits`, each encoding waits until the test releases it. */
function encoder(waits = false) {
  const waiting: (() => void)[] = [];
  let broken = false;
  const work = async (asked: Parameters<typeof runMaskWorker>[0]) => {
    if (asked.kind === 'encode-mask') {
      const png = new Blob([Uint8Array.from(asked.pixels)]);
      if (broken) throw new Error('No memory.');
      if (waits) await new Promise<void>((resolve) => waiting.push(resolve));
      return png;
    }
    if (asked.kind !== 'read-mask') throw new Error('Not asked here.');
    const pixels = new Uint8Array(await asked.png.arrayBuffer());
    return { width: pixels.length, height: 1, pixels };
  };
  return { work: work as typeof runMaskWorker, waiting, setBroken: (is: boolean) => (broken = is) };
}

const painted = (...at: number[]) => {
  const mask = new MaskDocument(size);
  for (const x of at) paintAt(mask, x);
  return mask;
};
const paintAt = (mask: MaskDocument, x: number) =>
  mask.fill({ left: x, top: 0, right: x + 1, bottom: 1 }, 255);
const pixelsOf = async (draft: MaskDraft) => [...((await draft.read())?.pixels ?? [])];
const { work } = encoder();

it('stores a mask for each subject and tab, and deletes only its own', async () => {
  const files = inMemory();
  const open = (tab: string, subject: string, mask = new MaskDocument(size)) =>
    new MaskDraft(mask, 'ada', subject, { tab, files, work });
  const [fox, owl] = [open('a', 'fox', painted(0)), open('a', 'owl', painted(1))];
  const elsewhere = open('b', 'fox', painted(2));
  for (const draft of [fox, owl, elsewhere]) await draft.save();
  expect(await pixelsOf(open('a', 'fox'))).toEqual([255, 0, 0, 0]);
  expect(await pixelsOf(open('a', 'owl'))).toEqual([0, 255, 0, 0]);

  await elsewhere.drop();
  expect(await pixelsOf(open('a', 'fox'))).toEqual([255, 0, 0, 0]);
  // A new tab continues the latest draft of another tab. Dropping its draft deletes the continued draft too.
  const continues = open('c', 'fox');
  expect(await pixelsOf(continues)).toEqual([255, 0, 0, 0]);
  await continues.drop();
  expect(await open('a', 'fox').read()).toBeNull();
  expect((await listMaskDrafts('ada', '', files)).map(({ subject }) => subject)).toEqual(['owl']);
  expect(await new MaskDraft(painted(), 'eve', 'owl', { tab: 'a', files, work }).read()).toBeNull();
});

it('stores the found area with the mask, and ignores a mask of another size', async () => {
  const files = inMemory();
  const mask = painted(0);
  mask.setFound({ width: 2, height: 1, pixels: Uint8Array.of(0, 255), name: 'cup', clicked: 'mug' });
  await new MaskDraft(mask, 'ada', 'fox', { tab: 'a', files, work }).save();
  const open = (width: number) =>
    new MaskDraft(new MaskDocument({ width, height: 1 }), 'ada', 'fox', { tab: 'a', files, work }).read();
  expect(await open(4)).toMatchObject({
    pixels: mask.pixels,
    found: { name: 'cup', clicked: 'mug', width: 2, pixels: Uint8Array.of(0, 255) },
  });
  expect(await open(5)).toBeNull();
});

it('deletes the oldest masks', async () => {
  const files = inMemory();
  for (let i = 0; i < 12; i += 1) {
    const draft = new MaskDraft(painted(0), 'ada', `picture ${i}`, { tab: 'a', files, work });
    await draft.save();
    const [name = ''] = (await files.names('ada:mask:a')).slice(-1);
    const file = await files.read(name);
    await files.write(name, new File([file ?? ''], file?.name ?? '', { lastModified: i }));
  }
  const subjects = (await listMaskDrafts('ada', '', files)).map(({ subject }) => subject);
  expect([subjects.length, subjects.includes('picture 11'), subjects.includes('picture 0')]).toEqual([
    8,
    true,
    false,
  ]);
});

it('writes in order, one at a time, and nothing after it was discarded', async () => {
  const files = inMemory();
  const slow = encoder(true);
  const mask = painted(0);
  const draft = new MaskDraft(mask, 'ada', 'fox', { tab: 'a', files, work: slow.work });
  const saved = draft.save();
  for (const x of [1, 2]) {
    paintAt(mask, x);
    void draft.save();
  }
  expect(slow.waiting.length).toBe(1);
  slow.waiting.shift()?.();
  await until('the second one', () => slow.waiting.length === 1);
  slow.waiting.shift()?.();
  await saved;
  const open = () => new MaskDraft(new MaskDocument(size), 'ada', 'fox', { tab: 'a', files, work });
  expect(await pixelsOf(open())).toEqual([255, 255, 255, 0]);

  paintAt(mask, 3);
  const late = draft.save();
  await draft.drop();
  slow.waiting.shift()?.();
  await late;
  expect(await open().read()).toBeNull();
});

it('retries after a PNG could not be encoded', async () => {
  const mask = painted(0);
  const { work: unsteady, setBroken } = encoder();
  setBroken(true);
  await expect(maskPng(mask, unsteady)).rejects.toThrow('No memory.');
  setBroken(false);
  const png = await maskPng(mask, unsteady);
  expect(png.size).toBe(4);
  expect(await maskPng(mask, unsteady)).toBe(png);
});
