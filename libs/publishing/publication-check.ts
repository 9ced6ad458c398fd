import type { Moderation } from '#libs/ai/moderation.js';
import type { PublishingMode } from '#libs/contract/moderation.js';
import type { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import type { CallSource, ProviderCalls } from '#libs/costs/provider-calls.js';
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
  moderation: Pick<Moderation, 'model' | 'moderate'> | null;
  /** Records calls of the model. */
  calls: Pick<ProviderCalls, 'of'>;
  budgets: Pick<ProviderBudgets, 'requireRoomForCall'>;
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
    return this.options.mode !== 'open' || this.options.moderation !== null;
  }

  /**
   * Rejects only if `signal` is aborted. If the moderation model cannot be asked or a budget is used up, the picture waits for
   * an operator.
   * @param content path of the stored picture
   */
  async check(
    picture: { text: string; content: string },
    source: Omit<CallSource, 'tool'>,
    signal?: AbortSignal,
  ): Promise<Verdict> {
    const { mode, moderation, onError } = this.options;
    if (mode === 'off') return { state: 'off' };
    if (moderation) {
      try {
        const timeout = AbortSignal.timeout(MAX_MS);
        const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
        if (await this.isFlagged(moderation, picture, source, ended))
          return { state: 'refused', cause: 'check' };
      } catch (error) {
        signal?.throwIfAborted();
        onError(error as Error);
        return { state: 'waiting', cause: 'unavailable' };
      }
    }
    return mode === 'review'
      ? { state: 'waiting', cause: 'review' }
      : { state: 'approved', isChecked: moderation !== null };
  }

  private async isFlagged(
    { model, moderate }: Pick<Moderation, 'model' | 'moderate'>,
    { text, content }: { text: string; content: string },
    source: Omit<CallSource, 'tool'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { files, calls, budgets } = this.options;
    const endTurn = await this.turns.take(1, signal);
    try {
      await budgets.requireRoomForCall(source.userId, model);
      const file = await files.findResult(keyOf(content));
      if (!file || file.bytes > MAX_BYTES)
        throw new Error('The picture cannot be sent to the moderation model.');
      const bytes = await files.read(file.key);
      const image = { bytes, mediaType: file.type };
      return await moderate({ text, image, calls: calls.of({ ...source, tool: 'publishing' }) }, signal);
    } finally {
      endTurn();
    }
  }
}
