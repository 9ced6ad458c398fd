import { z } from 'zod';
import { drafts } from '../../../shared/drafts/drafts';
import { fileDrafts } from '../../../shared/drafts/file-drafts';
import { textDraftPrefix } from './draft-names';

const draftSchema = z.object({
  /** The ID of the editor that wrote the draft. */
  session: z.string(),
  time: z.number(),
  text: z.string(),
  /** The latest text that the server confirmed. */
  base: z.object({ content: z.string(), revision: z.number() }),
  unanswered: z.array(z.string()),
});

/** An unsaved text on this device. */
export type TextDraft = z.infer<typeof draftSchema>;

const lockOf = (session: string) => `text-editor:${session}`;

export class TextDraftStore {
  private readonly name: string;

  constructor(
    private readonly user: string,
    private readonly creation: string,
    session: string,
  ) {
    this.name = textDraftPrefix(user, creation) + session;
  }

  async write(draft: TextDraft): Promise<void> {
    await fileDrafts.write(this.name, new File([JSON.stringify(draft)], this.name));
  }

  /** Writes synchronously too, since an asynchronous write may not finish before the page unloads. */
  writeSync(draft: TextDraft): void {
    drafts.write(this.name, draft);
    void this.write(draft);
  }

  async remove(session?: string): Promise<void> {
    const name = session === undefined ? this.name : textDraftPrefix(this.user, this.creation) + session;
    drafts.remove(name);
    await fileDrafts.write(name, null);
  }
}

/** Unsaved texts of a creation, newest first, without the drafts of editors that are open in other tabs. */
export async function readTextDrafts(user: string, creation: string): Promise<TextDraft[]> {
  const prefix = textDraftPrefix(user, creation);
  const names = new Set([...drafts.names(prefix), ...(await fileDrafts.names(prefix))]);
  if (names.size === 0) return [];
  const open = await openEditors();
  const found: TextDraft[] = [];
  for (const name of names) {
    if (open.has(lockOf(name.slice(prefix.length)))) continue;
    const stored = [drafts.read(name), await readFile(name)]
      .flatMap((value) => draftSchema.safeParse(value).data ?? [])
      .sort((one, other) => other.time - one.time);
    const [latest] = stored;
    if (latest === undefined) continue;
    // The user restored the saved text just before the page unloaded, so nothing is left to save.
    if (latest.text === latest.base.content && latest.unanswered.length === 0)
      await new TextDraftStore(user, creation, latest.session).remove();
    else found.push(latest);
  }
  return found.sort((one, other) => other.time - one.time);
}

async function readFile(name: string): Promise<unknown> {
  try {
    const file = await fileDrafts.read(name);
    return file === null ? null : (JSON.parse(await file.text()) as unknown);
  } catch {
    return null;
  }
}

/**
 * Holds a lock until `closed` resolves, so that other tabs know that the editor is open. Does nothing on insecure pages,
 * where browsers have no Web Locks.
 */
export function holdEditorLock(session: string, closed: Promise<void>): void {
  locks()
    ?.request(lockOf(session), () => closed)
    .catch(() => undefined);
}

async function openEditors(): Promise<Set<string | undefined>> {
  const held = (await locks()?.query())?.held ?? [];
  return new Set(held.map(({ name }) => name));
}

const locks = () => ('locks' in navigator ? navigator.locks : undefined);
