import { z } from 'zod';
import { drafts } from '../../../shared/drafts/drafts';
import { fileDrafts } from '../../../shared/drafts/file-drafts';
import { textDraftPrefix } from './has-text-drafts';

const draftSchema = z.object({
  /** Of the editor that wrote it. */
  session: z.string(),
  time: z.number(),
  text: z.string(),
  /** What the server had when the text was last the same, and texts sent since of which no answer came. */
  base: z.object({ content: z.string(), revision: z.number() }),
  unanswered: z.array(z.string()),
});

/** A text that was not saved yet, as this device keeps it. */
export type TextDraft = z.infer<typeof draftSchema>;

const lockOf = (session: string) => `text-editor:${session}`;

/** The unsaved text of one editor. */
export class KeptText {
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

  /** Writes before the page goes away, which waits for nothing. */
  writeAtOnce(draft: TextDraft): void {
    drafts.write(this.name, draft);
    void this.write(draft);
  }

  async remove(session?: string): Promise<void> {
    const name = session === undefined ? this.name : textDraftPrefix(this.user, this.creation) + session;
    drafts.remove(name);
    await fileDrafts.write(name, null);
  }
}

/** Unsaved texts of a creation, newest first, without those of editors that are open in other tabs. */
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
    // Changed back to what was saved, just before the page went away.
    if (latest.text === latest.base.content && latest.unanswered.length === 0)
      await new KeptText(user, creation, latest.session).remove();
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

/** Tells other tabs until `closed` that the editor of a session is open. Browsers have locks on secure pages only. */
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
