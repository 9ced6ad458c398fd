import { useEffect } from 'react';
import { z } from 'zod';
import { fileDrafts } from '../../drafts/file-drafts';
import type { FoundPixels, MaskDocument } from './mask-document';
import { doMaskWork } from './mask-work';

const pngs = new WeakMap<MaskDocument, { revision: number; png: Promise<Blob> }>();

/** The mask as a PNG, white and opaque where it is. The same mask gives the same Blob, which idempotency.ts compares. */
export function maskPng(mask: MaskDocument): Promise<Blob> {
  const made = pngs.get(mask);
  if (made?.revision === mask.revision) return made.png;
  const { width, height, pixels, revision } = mask;
  const png = doMaskWork({ kind: 'encode-mask', width, height, pixels });
  pngs.set(mask, { revision, png });
  return png;
}

/** Milliseconds after a change. */
const SAVE_AFTER_MS = 300;

/** What a file of a draft belongs to, in its name. */
const ownerSchema = z.object({
  picture: z.string(),
  found: z.string().optional(),
  clicked: z.string().optional(),
});

/** Keeps a mask over a reload. @param picture tells the pictures apart, of which the last one's mask is kept */
export function useMaskDraft(draft: string, picture: string, mask: MaskDocument | null): void {
  useEffect(() => {
    if (mask === null) return;
    let current = true;
    let timer = 0;
    const saveNow = () => {
      timer = 0;
      void save(draft, picture, mask);
    };
    const stop = mask.onStep(() => {
      clearTimeout(timer);
      timer = window.setTimeout(saveNow, SAVE_AFTER_MS);
    });
    void read(draft, picture, mask).then((kept) => {
      // What was painted meanwhile counts.
      if (current && kept !== null && mask.revision === 0) mask.load(kept.pixels, kept.found);
    });
    return () => {
      current = false;
      stop();
      clearTimeout(timer);
      if (timer !== 0) saveNow();
    };
  }, [draft, picture, mask]);
}

/** Forgets a mask that was saved elsewhere. */
export async function dropMaskDraft(draft: string, mask: MaskDocument): Promise<void> {
  dropped.add(mask);
  await fileDrafts.write(draft, null);
}

/** What is not to be written any more. */
const dropped = new WeakSet<MaskDocument>();

const foundOf = (draft: string) => `${draft}:found`;

const foundPngs = new WeakMap<FoundPixels, Promise<Blob>>();

async function save(draft: string, picture: string, mask: MaskDocument): Promise<void> {
  const { found } = mask;
  if (dropped.has(mask) || (!mask.canUndo && !mask.canRedo)) return;
  try {
    const png = await maskPng(mask);
    await fileDrafts.write(draft, new File([png], JSON.stringify({ picture })));
    if (found === null) return await fileDrafts.write(foundOf(draft), null);
    const foundPng = foundPngs.get(found) ?? doMaskWork({ kind: 'encode-mask', ...found });
    foundPngs.set(found, foundPng);
    const name = JSON.stringify({ picture, found: found.name, clicked: found.clicked });
    await fileDrafts.write(foundOf(draft), new File([await foundPng], name));
  } catch {
    // The mask is lost on reload.
  }
}

async function read(draft: string, picture: string, { width, height }: MaskDocument) {
  try {
    const [kept, found] = await Promise.all([
      readFor(picture, await fileDrafts.read(draft)),
      readFor(picture, await fileDrafts.read(foundOf(draft))),
    ]);
    if (kept === null || kept.width !== width || kept.height !== height) return null;
    return { pixels: kept.pixels, found: found && { ...found, name: found.name ?? '' } };
  } catch {
    return null;
  }
}

async function readFor(picture: string, file: File | null) {
  const owner = file === null ? null : ownerSchema.safeParse(JSON.parse(file.name)).data;
  if (file === null || owner?.picture !== picture) return null;
  const { found: name, clicked } = owner;
  return { ...(await doMaskWork({ kind: 'read-mask', png: file })), name, clicked };
}
