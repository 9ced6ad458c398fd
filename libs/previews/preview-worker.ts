import type { DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { PreviewEntity, type PreviewAnswer, type PreviewError } from '#libs/database/entities/previews.js';
import { queryEntity } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { waitForClose } from '#libs/resilience/policies.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import { PREVIEW_SECONDS } from './previews.js';

/** Milliseconds between two polls, for previews whose event was lost. */
const POLL_EVERY = 2_000;

/** Creates a preview. @param input the input as it was stored; not validated */
export type MakePreview = (input: unknown, bytes: Buffer, signal: AbortSignal) => Promise<object>;

/** Creates the previews that requests wait for, one at a time. Runs in a worker, concurrently with the worker's jobs. */
export class PreviewWorker {
  private running: { id: string; controller: AbortController } | null = null;
  private working: Promise<void> = Promise.resolve();
  private isWorking = false;
  /** True if a preview may have been added since the last poll. */
  private mayHaveWork = false;
  private isClosed = false;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly live: LiveEvents,
    private readonly files: Pick<StoredFiles, 'read'>,
    private readonly makePreview: MakePreview,
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  start(): void {
    this.stops.push(
      this.live.subscribe('preview:added', () => this.wake()),
      // Stops the running preview if its request has ended.
      this.live.subscribe(
        'preview:ended',
        (id) => this.running?.id === id && this.running.controller.abort(),
      ),
      this.clock.every(POLL_EVERY, () => this.wake()),
    );
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Stops taking previews. Aborts the running preview: its request gets an error, and the user can try again. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const stop of this.stops) stop();
    this.running?.controller.abort();
    await waitForClose(() => this.working, this.onError);
  }

  private wake(): void {
    this.mayHaveWork = true;
    if (this.isWorking) return;
    this.isWorking = true;
    this.working = this.takeAll()
      .catch(this.onError)
      .finally(() => (this.isWorking = false));
  }

  private async takeAll(): Promise<void> {
    while (this.mayHaveWork && !this.isClosed) {
      this.mayHaveWork = false;
      for (let next = await this.claim(); next; next = await this.claim()) await this.answer(next);
    }
  }

  private async answer({ id, input, fileKey }: PreviewEntity): Promise<void> {
    const controller = new AbortController();
    this.running = { id, controller };
    const cancelTimer = this.clock.after(PREVIEW_SECONDS * 1_000, () => controller.abort());
    try {
      const bytes = await this.files.read(fileKey as string);
      const result = await this.makePreview(input, bytes, controller.signal);
      await this.store(id, { result });
    } catch (error) {
      if (controller.signal.aborted && !this.isClosed) return;
      await this.store(id, { error: this.toAnswer(error) });
    } finally {
      cancelTimer();
      this.running = null;
    }
  }

  private async store(id: string, answer: PreviewAnswer): Promise<void> {
    await this.dataSource.getRepository(PreviewEntity).update({ id }, { answer });
    this.live.publish('preview:ended', id);
  }

  private toAnswer(error: unknown): PreviewError {
    if (error instanceof AppError && error.code !== 'INTERNAL') {
      const { code, message, details } = error;
      const field = Array.isArray(details) ? details[0]?.field : undefined;
      return { code, message, ...(field !== undefined && { field }) };
    }
    // Does not report EngineErrors: after a crash, the model's process is restarted for the next request.
    if (!(error instanceof EngineError) && !this.isClosed) this.onError(error as Error);
    return { code: 'UNAVAILABLE', message: 'The preview could not be created. Try again in a moment.' };
  }

  /** Claims the preview that has waited longest; undefined if none waits. */
  private async claim(): Promise<PreviewEntity | undefined> {
    if (this.isClosed) return undefined;
    return queryEntity(
      this.dataSource,
      PreviewEntity,
      `UPDATE previews SET started_at = now() WHERE id = (
         SELECT id FROM previews
         WHERE started_at IS NULL AND file_key IS NOT NULL AND created_at > now() - make_interval(secs => $1)
         ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT 1)
       RETURNING *`,
      [PREVIEW_SECONDS],
    );
  }
}
