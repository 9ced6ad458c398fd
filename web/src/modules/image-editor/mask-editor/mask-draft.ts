import { z } from 'zod';
import { fileDrafts, type FileDrafts } from '../../../shared/drafts/file-drafts';
import { ignoreErrors } from '../../../shared/lib/ignore-errors';
import type { FoundPixels, MaskDocument } from './mask-document';
import { runMaskWorker } from './run-mask-worker';

const pngs = new WeakMap<MaskDocument, { revision: number; png: Promise<Blob> }>();

/**
 * Encodes the mask as a PNG that is white and opaque inside the mask. Returns the same Blob until the mask changes, so that
 * idempotency.ts recognises a retried request.
 */
export function maskPng(mask: MaskDocument, work = runMaskWorker): Promise<Blob> {
  const encoded = pngs.get(mask);
  if (encoded?.revision === mask.revision) return encoded.png;
  const { width, height, pixels, revision } = mask;
  const png = work<'encode-mask'>({ kind: 'encode-mask', width, height, pixels });
  pngs.set(mask, { revision, png });
  // After a failure, remove the promise from the cache, so that the next call encodes again.
  png.catch(() => pngs.get(mask)?.png === png && pngs.delete(mask));
  return png;
}

/** Maximum number of drafts that this browser stores for a user; the oldest are deleted. */
const MAX_DRAFTS = 8;
const TAB_KEY = 'mask-draft-tab';

/**
 * JSON in the file name of a draft. The file has the mask's PNG, of `mask` bytes, followed by the PNG of the found object.
 */
const partsSchema = z.object({
  mask: z.number(),
  found: z.string().optional(),
  clicked: z.string().optional(),
});

interface Storage {
  tab: string;
  files: FileDrafts;
  work: typeof runMaskWorker;
}

let tab: string | undefined;
const thisBrowser = (): Storage => ({ tab: (tab ??= readTab()), files: fileDrafts, work: runMaskWorker });

/** ID of this browser tab, which stays the same after a reload. */
function readTab(): string {
  const stored = ignoreErrors(() => sessionStorage.getItem(TAB_KEY));
  if (typeof stored === 'string') return stored;
  const fresh = crypto.randomUUID();
  ignoreErrors(() => sessionStorage.setItem(TAB_KEY, fresh));
  return fresh;
}

const prefixOf = (user: string) => `${user}:mask:`;

interface StoredDraft {
  name: string;
  subject: string;
  lastModified: number;
  file: File;
}

/** The user's drafts whose subjects begin with the prefix, newest first. */
export async function listMaskDrafts(
  user: string,
  subjectPrefix: string,
  files: FileDrafts = fileDrafts,
): Promise<StoredDraft[]> {
  const prefix = prefixOf(user);
  const stored: StoredDraft[] = [];
  for (const name of await files.names(prefix)) {
    const subject = name.slice(name.indexOf(':', prefix.length) + 1);
    const file = subject.startsWith(subjectPrefix) ? await files.read(name) : null;
    if (file !== null) stored.push({ name, subject, lastModified: file.lastModified, file });
  }
  return stored.sort((one, other) => other.lastModified - one.lastModified);
}

/** Stores a mask, so that it survives a reload. Each tab has its own draft for each subject. */
export class MaskDraft {
  private saving: Promise<void> | null = null;
  private changed = false;
  private dropped = false;
  private continued: StoredDraft | null = null;
  private readonly name: string;

  /** @param subject ID of the image that the mask belongs to */
  constructor(
    private readonly mask: MaskDocument,
    private readonly user: string,
    private readonly subject: string,
    private readonly storage: Storage = thisBrowser(),
  ) {
    this.name = `${prefixOf(user)}${storage.tab}:${subject}`;
  }

  /**
   * Reads the draft of this tab, or else the latest draft of another tab.
   * @returns null if no draft fits the image's size
   */
  async read(): Promise<{ pixels: Uint8Array; found: FoundPixels | null } | null> {
    const { files } = this.storage;
    try {
      const own = await files.read(this.name);
      const other = own === null ? await this.readOther() : null;
      const file = own ?? other?.file;
      if (!file) return null;
      const parts = partsSchema.parse(JSON.parse(file.name));
      const stored = await this.storage.work({ kind: 'read-mask', png: file.slice(0, parts.mask) });
      if (stored.width !== this.mask.width || stored.height !== this.mask.height) return null;
      const found =
        parts.found === undefined
          ? null
          : await this.storage.work({ kind: 'read-mask', png: file.slice(parts.mask) });
      this.continued = other;
      return {
        pixels: stored.pixels,
        found: found && { ...found, name: parts.found ?? '', clicked: parts.clicked },
      };
    } catch {
      return null;
    }
  }

  /** Writes the current mask. Writes never overlap, so an older mask cannot overwrite a newer one. */
  save(): Promise<void> {
    this.changed = true;
    this.saving ??= this.saveChanges();
    return this.saving;
  }

  /** Deletes the draft, and the draft of another tab from which `read` continued, unless that tab has changed it since. */
  async drop(): Promise<void> {
    this.dropped = true;
    const { files } = this.storage;
    await files.write(this.name, null);
    const { continued } = this;
    if (continued === null) return;
    const now = await files.read(continued.name);
    if (now?.lastModified === continued.lastModified) await files.write(continued.name, null);
  }

  private async readOther(): Promise<StoredDraft | null> {
    const drafts = await listMaskDrafts(this.user, this.subject, this.storage.files);
    return drafts.find(({ subject }) => subject === this.subject) ?? null;
  }

  private async saveChanges(): Promise<void> {
    while (this.changed) {
      this.changed = false;
      try {
        await this.write();
      } catch {
        // Ignored: the only consequence is that a reload loses the mask.
      }
    }
    this.saving = null;
  }

  private async write(): Promise<void> {
    const { mask, storage } = this;
    const { found } = mask;
    if (!mask.canUndo && !mask.canRedo) return;
    const png = await maskPng(mask, storage.work);
    const foundPng = found === null ? null : await foundPngOf(found, storage.work);
    if (this.dropped) return;
    const parts = foundPng === null ? [png] : [png, foundPng];
    const name = JSON.stringify({ mask: png.size, found: found?.name, clicked: found?.clicked });
    await storage.files.write(this.name, new File(parts, name));
    await this.deleteOldest();
  }

  private async deleteOldest(): Promise<void> {
    const { files } = this.storage;
    if ((await files.names(prefixOf(this.user))).length <= MAX_DRAFTS) return;
    const drafts = await listMaskDrafts(this.user, '', files);
    for (const { name } of drafts.slice(MAX_DRAFTS)) if (name !== this.name) await files.write(name, null);
  }
}

const foundPngs = new WeakMap<FoundPixels, Blob>();

async function foundPngOf(found: FoundPixels, work: typeof runMaskWorker): Promise<Blob> {
  const png = foundPngs.get(found) ?? (await work<'encode-mask'>({ kind: 'encode-mask', ...found }));
  foundPngs.set(found, png);
  return png;
}
