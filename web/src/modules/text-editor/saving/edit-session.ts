import type { QueryClient } from '@tanstack/react-query';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import type { Creation } from '#libs/contract/creations.js';
import { call } from '../../../shared/http/call';
import type { Http } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { holdEditorLock, TextDraftStore, type TextDraft } from './text-drafts';
import { TextSaver, type SaveState } from './text-saver';

interface EditSessionOptions {
  http: Http;
  queries: QueryClient;
  user: string;
  creation: Creation;
  draft: TextDraft | null;
  /** The current text; null while it cannot be read. */
  read: () => string | null;
  /** Shows a merged text in the editor. */
  adopt: (text: string) => void;
  onSave: (text: string) => void;
  onState: (state: SaveState) => void;
}

/** Saves the text of one editor in its creation, and unsaved text on this device. */
export class EditSession {
  readonly saver: TextSaver;
  private version: { session: string; label?: string };
  private readonly draftStore: TextDraftStore;
  private readonly closed = Promise.withResolvers<void>();
  private readonly listeners = new AbortController();
  /** The text of the closed editor. */
  private finalText: string | null = null;

  constructor(private readonly options: EditSessionOptions) {
    const { user, creation, draft, read, adopt, onState } = options;
    const session = draft?.session ?? crypto.randomUUID();
    this.version = { session };
    this.draftStore = new TextDraftStore(user, creation.id, session);
    holdEditorLock(session, this.closed.promise);
    this.saver = new TextSaver({
      session,
      base: draft?.base ?? { content: creation.content, revision: creation.revision },
      unanswered: draft?.unanswered,
      read: () => this.finalText ?? read(),
      adopt: (merged) => {
        if (this.finalText === null) adopt(merged);
        else this.finalText = merged;
      },
      put: (content, revision) => this.put(content, revision),
      get: () => this.get(),
      keep: (unsaved) => void (unsaved === null ? this.draftStore.remove() : this.draftStore.write(unsaved)),
      onState: (state) => this.finalText === null && onState(state),
    });
    this.saveOnEvents();
  }

  /** Labels the next save and keeps it as a separate version. */
  startVersion(label: string): void {
    this.version = { session: crypto.randomUUID(), label };
  }

  /** Saves the final text of an editor that closes. */
  close(finalText: string): void {
    this.listeners.abort();
    this.finalText = finalText;
    void this.saver.close().finally(this.closed.resolve);
  }

  private async put(content: string, revision: number): Promise<Creation> {
    const { http, creation, onSave } = this.options;
    if (this.finalText === null) onSave(content);
    const { version } = this;
    const answer = await call(
      http,
      creationRoutes.editCreation,
      { params: { id: creation.id }, body: { content, ...version } },
      { 'If-Match': `"${revision}"` },
    );
    if (version.label !== undefined && version === this.version)
      this.version = { session: crypto.randomUUID() };
    return this.cache(answer.creation);
  }

  private async get(): Promise<Creation> {
    const { http, creation } = this.options;
    return this.cache(
      (await call(http, creationRoutes.getCreation, { params: { id: creation.id } })).creation,
    );
  }

  private cache(stored: Creation): Creation {
    this.options.queries.setQueryData(queryKeys.creation(stored.id), stored);
    return stored;
  }

  private saveOnEvents(): void {
    const { signal } = this.listeners;
    const save = () => void this.saver.save();
    const storeDraftNow = () => {
      const unsaved = this.saver.draft();
      if (unsaved !== null) this.draftStore.writeSync(unsaved);
    };
    window.addEventListener('pagehide', storeDraftNow, { signal });
    window.addEventListener('online', save, { signal });
    const onHidden = () => {
      // If the text is up to date, saving would only delete the draft, which an unloading page may not finish.
      if (document.visibilityState === 'hidden' && !this.saver.isUpToDate) save();
    };
    document.addEventListener('visibilitychange', onHidden, { signal });
  }
}
