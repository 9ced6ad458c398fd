import type { Moderate } from '#libs/ai/engine.js';
import type { PublishingMode } from '#libs/contract/moderation.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import { keyOf } from '#libs/storage/object-key.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';

/** What may happen to a picture that a user wants to publish. */
export type Verdict =
  | { state: 'approved'; isChecked: boolean }
  | { state: 'waiting'; cause: 'review' | 'unavailable' }
  | { state: 'refused'; cause: 'check' }
  | { state: 'off' };

/** Larger pictures are not sent to the model and wait for an operator. */
const MAX_BYTES = 15_000_000;
/** Pictures that a process reads and sends at the same time. */
const MAX_CHECKS = 4;
/** Maximum milliseconds for a check with its wait for others. */
const MAX_MS = 45_000;

interface CheckOptions {
  mode: PublishingMode;
  /** Null if no moderation model is configured. */
  moderate: Moderate | null;
  files: Pick<StoredFiles, 'findResult' | 'read'>;
  onError: (error: Error) => void;
}

/** Decides about a picture before it is published. */
export class PublicationCheck {
  private readonly turns = new MemoryBudget(MAX_CHECKS);

  constructor(private readonly options: CheckOptions) {}

  get mode(): PublishingMode {
    return this.options.mode;
  }

  /** Whether a published picture is checked again after a change. */
  get isNeeded(): boolean {
    return this.options.mode !== 'open' || this.options.moderate !== null;
  }

  /**
   * Rejects only if `signal` is aborted. If the moderation model cannot be asked, the picture waits for an operator.
   * @param content path of the stored picture
   */
  async check(picture: { text: string; content: string }, signal?: AbortSignal): Promise<Verdict> {
    const { mode, moderate, onError } = this.options;
    if (mode === 'off') return { state: 'off' };
    if (moderate) {
      try {
        const timeout = AbortSignal.timeout(MAX_MS);
        const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
        if (await this.isFlagged(moderate, picture, ended)) return { state: 'refused', cause: 'check' };
      } catch (error) {
        signal?.throwIfAborted();
        onError(error as Error);
        return { state: 'waiting', cause: 'unavailable' };
      }
    }
    return mode === 'review'
      ? { state: 'waiting', cause: 'review' }
      : { state: 'approved', isChecked: moderate !== null };
  }

  private async isFlagged(
    moderate: Moderate,
    { text, content }: { text: string; content: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const endTurn = await this.turns.take(1, signal);
    try {
      const file = await this.options.files.findResult(keyOf(content));
      if (!file || file.bytes > MAX_BYTES)
        throw new Error('The picture cannot be sent to the moderation model.');
      const bytes = await this.options.files.read(file.key);
      return await moderate({ text, image: { bytes, mediaType: file.type } }, signal);
    } finally {
      endTurn();
    }
  }
}
