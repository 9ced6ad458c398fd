import { CONTENT_MAX } from '#libs/contract/creation-versions.js';
import { ApiFailure } from '../../../shared/http/http';
import { mergeTexts, type MergedPart } from './merge-texts';
import type { TextDraft } from './text-drafts';

/** After the last change. */
const SAVE_AFTER_MS = 1_000;
/** While changes go on. */
const SAVE_AT_LEAST_EVERY_MS = 8_000;
const KEEP_AFTER_MS = 300;
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
  /** No answer came; it is tried again. */
  | { kind: 'waiting' }
  | ConflictState
  | { kind: 'empty' }
  | { kind: 'too-long'; characters: number }
  | { kind: 'refused'; message: string };

/** Somebody else changed the same paragraphs. */
export interface ConflictState {
  kind: 'conflict';
  parts: readonly MergedPart[];
  /** What the parts were made of: the text here, and the server's. */
  text: string;
  theirs: StoredText;
}

interface TextSaverOptions {
  session: string;
  /** What the server had when the text was read. */
  base: StoredText;
  /** Of a text that this device kept. */
  unanswered?: readonly string[];
  /** The text as it is now; null while it cannot be read, such as in the middle of a composed character. */
  read: () => string | null;
  /** Puts a merged text in place of the one that `read` gave. */
  adopt: (text: string) => void;
  /** @throws ApiFailure */
  put: (content: string, revision: number) => Promise<StoredText>;
  /** @throws ApiFailure */
  get: () => Promise<StoredText>;
  /** Keeps what is not saved on this device; null once it is saved. */
  keep: (draft: TextDraft | null) => void;
  onState: (state: SaveState) => void;
  /** Runs something later. @returns what cancels it */
  schedule?: (run: () => void, milliseconds: number) => () => void;
  now?: () => number;
}

const scheduleTimeout = (run: () => void, milliseconds: number) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Saves a text while it is edited, one request at a time. What is not saved is kept on this device. A text that
 * somebody else changed meanwhile is merged, and is a conflict only where both changed the same paragraph.
 */
export class TextSaver {
  state: SaveState = { kind: 'saved' };
  private base: StoredText;
  /** Sent without an answer: the server may have any of them. */
  private unanswered: string[];
  /** Whether this device keeps a text, which may have been changed back since. */
  private isKept: boolean;
  private running: Promise<void> | null = null;
  private changedSince: number | null = null;
  private cancelSave: () => void = () => undefined;
  private cancelKeep: (() => void) | null = null;
  private retryMs = FIRST_RETRY_MS;
  private closed = false;
  private readonly schedule: NonNullable<TextSaverOptions['schedule']>;
  private readonly now: () => number;

  constructor(private readonly options: TextSaverOptions) {
    this.base = options.base;
    this.unanswered = [...(options.unanswered ?? [])];
    this.isKept = options.unanswered !== undefined;
    this.schedule = options.schedule ?? scheduleTimeout;
    this.now = options.now ?? Date.now;
  }

  /** What the server has, as far as it is known. */
  get saved(): StoredText {
    return this.base;
  }

  /** Whether there is nothing to save. */
  get isUpToDate(): boolean {
    const text = this.options.read();
    return text === null || this.isSaved(text);
  }

  /** After each change of the text. */
  readonly changed = (): void => {
    if (this.state.kind === 'saved') this.setState({ kind: 'unsaved' });
    this.cancelKeep ??= this.schedule(() => this.keep(), KEEP_AFTER_MS);
    if (this.state.kind === 'waiting' || this.state.kind === 'conflict') return;
    this.changedSince ??= this.now();
    const latest = this.changedSince + SAVE_AT_LEAST_EVERY_MS - this.now();
    this.saveIn(Math.max(0, Math.min(SAVE_AFTER_MS, latest)));
  };

  /** Saves now what is not saved. */
  readonly save = (): Promise<void> => {
    if (this.state.kind === 'conflict') return Promise.resolve();
    this.cancelSave();
    this.running ??= this.saveChanges().finally(() => (this.running = null));
    return this.running;
  };

  /** A newer text of the server, from elsewhere. */
  receive(stored: StoredText): void {
    const known = this.state.kind === 'conflict' ? this.state.theirs : this.base;
    if (this.running !== null || stored.revision <= known.revision) return;
    if (this.rebase(stored)) void this.save();
  }

  /**
   * Ends a conflict with the text that was chosen, and what was typed since it was shown.
   * @param shown what was chosen from: by now another one may be there, with a newer text of the server
   */
  resolve(chosen: string, shown: ConflictState): void {
    if (this.state.kind !== 'conflict') return;
    const text = this.options.read() ?? shown.text;
    const parts = mergeTexts(text, shown.text, chosen);
    if (text !== shown.text && hasConflict(parts))
      return this.setState({ kind: 'conflict', parts, text, theirs: shown.theirs });
    this.base = shown.theirs;
    this.options.adopt(text === shown.text ? chosen : textOf(parts));
    this.setState({ kind: 'unsaved' });
    void this.save();
  }

  /** What this device should keep, null where everything is saved. */
  draft(): TextDraft | null {
    const text = this.options.read();
    if (text === null || (this.isSaved(text) && !this.isKept)) return null;
    const { session } = this.options;
    return { session, time: this.now(), text, base: this.base, unanswered: this.unanswered };
  }

  /** Tries once more to save; what is not saved then stays on this device. */
  async close(): Promise<void> {
    this.keep();
    this.closed = true;
    await this.save();
    this.cancelSave();
    this.cancelKeep?.();
  }

  private keep(): void {
    this.cancelKeep = null;
    const draft = this.draft();
    if (draft === null) return;
    this.isKept = true;
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
        // Changed back, but the server may have what was sent meanwhile.
        if (!(await this.readAgain())) return;
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
        // Somebody else may have saved before the answer was read.
        if (!isLatest && !this.rebase(stored)) return;
      } catch (error) {
        if (!(await this.recover(error))) return;
      }
    }
  }

  /** @returns whether to go on */
  private async recover(error: unknown): Promise<boolean> {
    const failure = error instanceof ApiFailure ? error : null;
    if (failure?.code === 'VERSION_CONFLICT') return this.readAgain();
    if (failure === null || mayPass(failure)) {
      this.setState({ kind: 'waiting' });
      this.saveIn(failure?.retryAfterSeconds == null ? this.retryMs : failure.retryAfterSeconds * 1_000);
      this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
      return false;
    }
    this.unanswered = this.unanswered.slice(0, -1);
    this.setState({ kind: 'refused', message: failure.message });
    return false;
  }

  /** @returns whether to go on, from what the server has now */
  private async readAgain(): Promise<boolean> {
    try {
      return this.rebase(await this.options.get());
    } catch (error) {
      return this.recover(error);
    }
  }

  /** Goes on from the server's text. @returns false where both sides changed the same paragraphs */
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
    this.cancelKeep?.();
    this.cancelKeep = null;
    this.isKept = false;
    this.options.keep(null);
    this.setState({ kind: 'saved' });
  }

  private setState(state: SaveState): void {
    this.state = state;
    this.options.onState(state);
  }
}

const hasConflict = (parts: readonly MergedPart[]) => parts.some(({ kind }) => kind === 'conflict');

/** Of parts without a conflict. */
const textOf = (parts: readonly MergedPart[]) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

/** Whether the same request may succeed later. */
const mayPass = ({ status, code }: ApiFailure) =>
  status === 0 || status >= 500 || status === 401 || code === 'RATE_LIMITED';

function refusalOf(text: string): SaveState | null {
  if (text.trim() === '') return { kind: 'empty' };
  return text.length > CONTENT_MAX ? { kind: 'too-long', characters: text.length } : null;
}
