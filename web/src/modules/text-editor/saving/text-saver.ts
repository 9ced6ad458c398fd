import { contentRefusal } from '#libs/contract/creation-versions.js';
import { ApiFailure } from '../../../shared/http/http';
import { mergeTexts, type MergedPart } from './merge-texts';
import type { TextDraft } from './text-drafts';

/** Delay between the last change and saving. */
const SAVE_AFTER_MS = 1_000;
/** Maximum time between saves while the user keeps typing. */
const SAVE_AT_LEAST_EVERY_MS = 8_000;
const DRAFT_AFTER_MS = 300;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;

export interface StoredText {
  content: string;
  revision: number;
}

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** The request failed and will be retried. */
  | { kind: 'waiting' }
  | ConflictState
  | { kind: 'empty' }
  | { kind: 'refused'; message: string };

/** The state after another editor changed the same paragraphs, until the user resolves the conflict. */
export interface ConflictState {
  kind: 'conflict';
  parts: readonly MergedPart[];
  /** The local text from which `parts` were merged. */
  text: string;
  /** The server's text from which `parts` were merged. */
  theirs: StoredText;
}

interface TextSaverOptions {
  session: string;
  /** The server's text at the time the editor opened, or the draft's base. */
  base: StoredText;
  /** See {@link TextDraft}: the texts without a response in the draft with which the editor starts. */
  unanswered?: readonly string[];
  /** The current text; null while it cannot be read, for example during IME composition. */
  read: () => string | null;
  /** Shows a merged text in the editor. */
  adopt: (text: string) => void;
  /** @throws ApiFailure */
  put: (content: string, revision: number) => Promise<StoredText>;
  /** @throws ApiFailure */
  get: () => Promise<StoredText>;
  /** Stores the draft on this device; null removes the stored draft. */
  keep: (draft: TextDraft | null) => void;
  onState: (state: SaveState) => void;
  /** @returns a function that cancels the timer */
  schedule?: (run: () => void, milliseconds: number) => () => void;
  now?: () => number;
}

const scheduleTimeout = (run: () => void, milliseconds: number) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Saves a text while the user edits it, with one request at a time, and stores unsaved text on this device. Merges changes
 * from other editors. There is a conflict only if both editors changed the same paragraph.
 */
export class TextSaver {
  state: SaveState = { kind: 'saved' };
  private base: StoredText;
  /** Texts whose requests got no response. The server may have stored any of them. */
  private unanswered: string[];
  /** True if this device stores a draft of this editor. */
  private hasDraft: boolean;
  private running: Promise<void> | null = null;
  private changedSince: number | null = null;
  private cancelSave: () => void = () => undefined;
  private cancelDraftTimer: (() => void) | null = null;
  private retryMs = FIRST_RETRY_MS;
  private closed = false;
  private readonly schedule: NonNullable<TextSaverOptions['schedule']>;
  private readonly now: () => number;

  constructor(private readonly options: TextSaverOptions) {
    this.base = options.base;
    this.unanswered = [...(options.unanswered ?? [])];
    this.hasDraft = options.unanswered !== undefined;
    this.schedule = options.schedule ?? scheduleTimeout;
    this.now = options.now ?? Date.now;
  }

  /** The latest text that the server confirmed. */
  get saved(): StoredText {
    return this.base;
  }

  get isUpToDate(): boolean {
    const text = this.options.read();
    return text === null || this.isSaved(text);
  }

  readonly changed = (): void => {
    if (this.state.kind === 'saved') this.setState({ kind: 'unsaved' });
    this.cancelDraftTimer ??= this.schedule(() => this.keep(), DRAFT_AFTER_MS);
    if (this.state.kind === 'waiting' || this.state.kind === 'conflict') return;
    this.changedSince ??= this.now();
    const latest = this.changedSince + SAVE_AT_LEAST_EVERY_MS - this.now();
    this.saveIn(Math.max(0, Math.min(SAVE_AFTER_MS, latest)));
  };

  readonly save = (): Promise<void> => {
    if (this.state.kind === 'conflict') return Promise.resolve();
    this.cancelSave();
    this.running ??= this.saveChanges().finally(() => (this.running = null));
    return this.running;
  };

  /** Merges a text that the server reported, if it is newer, and saves the result. */
  receive(stored: StoredText): void {
    const known = this.state.kind === 'conflict' ? this.state.theirs : this.base;
    if (this.running !== null || stored.revision <= known.revision) return;
    if (this.rebase(stored)) void this.save();
  }

  /**
   * Resolves a conflict with the chosen text and merges changes that the user made in the meantime.
   * @param conflict the conflict for which the user chose; the state may have a newer conflict
   */
  resolve(chosen: string, conflict: ConflictState): void {
    if (this.state.kind !== 'conflict') return;
    const text = this.options.read() ?? conflict.text;
    const parts = mergeTexts(text, conflict.text, chosen);
    if (text !== conflict.text && hasConflict(parts))
      return this.setState({ kind: 'conflict', parts, text, theirs: conflict.theirs });
    this.base = conflict.theirs;
    this.options.adopt(text === conflict.text ? chosen : textOf(parts));
    this.setState({ kind: 'unsaved' });
    void this.save();
  }

  /** The draft to store; null if everything is saved. */
  draft(): TextDraft | null {
    const text = this.options.read();
    if (text === null || (this.isSaved(text) && !this.hasDraft)) return null;
    const { session } = this.options;
    return { session, time: this.now(), text, base: this.base, unanswered: this.unanswered };
  }

  /** Tries to save once more. If that fails, the draft stays on this device. */
  async close(): Promise<void> {
    this.keep();
    this.closed = true;
    await this.save();
    this.cancelSave();
    this.cancelDraftTimer?.();
  }

  private keep(): void {
    this.cancelDraftTimer = null;
    const draft = this.draft();
    if (draft === null) return;
    this.hasDraft = true;
    this.options.keep(draft);
  }

  private isSaved(text: string): boolean {
    return text === this.base.content && this.unanswered.length === 0;
  }

  private saveIn(milliseconds: number): void {
    this.cancelSave();
    if (this.closed) return;
    this.cancelSave = this.schedule(() => void this.save(), milliseconds);
  }

  private async saveChanges(): Promise<void> {
    this.changedSince = null;
    for (;;) {
      const text = this.options.read();
      if (text === null) return this.saveIn(SAVE_AFTER_MS);
      if (this.isSaved(text)) return this.finish();
      if (text === this.base.content) {
        // The user restored the saved text, but the server may have stored an unanswered request.
        if (!(await this.readServerText())) return;
        continue;
      }
      const refusal = refusalOf(text);
      if (refusal === null) this.unanswered = [...this.unanswered, text].slice(-3);
      this.keep();
      if (refusal !== null) return this.setState(refusal);
      this.setState({ kind: 'saving' });
      try {
        const stored = await this.options.put(text, this.base.revision);
        const isLatest = stored.content === text;
        this.base = { content: text, revision: isLatest ? stored.revision : this.base.revision };
        this.unanswered = [];
        this.retryMs = FIRST_RETRY_MS;
        // The response has the text of another editor if that editor saved before the response was sent.
        if (!isLatest && !this.rebase(stored)) return;
      } catch (error) {
        if (!(await this.recover(error))) return;
      }
    }
  }

  /** @returns true if saving continues, false if it waits for a retry or for the user */
  private async recover(error: unknown): Promise<boolean> {
    const failure = error instanceof ApiFailure ? error : null;
    if (failure?.code === 'VERSION_CONFLICT') return this.readServerText();
    if (failure === null || isTransient(failure)) {
      this.setState({ kind: 'waiting' });
      this.saveIn(failure?.retryAfterSeconds == null ? this.retryMs : failure.retryAfterSeconds * 1_000);
      this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
      return false;
    }
    this.unanswered = this.unanswered.slice(0, -1);
    this.setState({ kind: 'refused', message: failure.message });
    return false;
  }

  /** Fetches the server's text and merges it. @returns true if saving continues */
  private async readServerText(): Promise<boolean> {
    try {
      return this.rebase(await this.options.get());
    } catch (error) {
      return this.recover(error);
    }
  }

  /** Merges the server's text. @returns false on a conflict, or during IME composition, after which saving is retried */
  private rebase(theirs: StoredText): boolean {
    const text = this.options.read();
    if (text === null) {
      this.saveIn(SAVE_AFTER_MS);
      return false;
    }
    if (!this.unanswered.includes(theirs.content) && theirs.content !== text) {
      const parts = mergeTexts(text, this.base.content, theirs.content);
      if (hasConflict(parts)) {
        this.setState({ kind: 'conflict', parts, text, theirs });
        return false;
      }
      this.options.adopt(text === this.base.content ? theirs.content : textOf(parts));
    }
    this.base = theirs;
    this.unanswered = [];
    if (this.state.kind === 'conflict') this.setState({ kind: 'unsaved' });
    return true;
  }

  private finish(): void {
    this.cancelDraftTimer?.();
    this.cancelDraftTimer = null;
    this.hasDraft = false;
    this.options.keep(null);
    this.setState({ kind: 'saved' });
  }

  private setState(state: SaveState): void {
    this.state = state;
    this.options.onState(state);
  }
}

const hasConflict = (parts: readonly MergedPart[]) => parts.some(({ kind }) => kind === 'conflict');

const textOf = (parts: readonly MergedPart[]) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

const isTransient = ({ status, code }: ApiFailure) =>
  status === 0 || status >= 500 || status === 401 || code === 'RATE_LIMITED';

function refusalOf(text: string): SaveState | null {
  if (text.trim() === '') return { kind: 'empty' };
  const message = contentRefusal(text);
  return message === null ? null : { kind: 'refused', message };
}
