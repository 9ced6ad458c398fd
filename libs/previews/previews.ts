import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { AppError } from '#libs/contract/errors.js';
import { WorkerSlotsEntity } from '#libs/database/entities/jobs.js';
import { PreviewEntity, type PreviewAnswer } from '#libs/database/entities/previews.js';
import { execute } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { NewFile, StoredFiles } from '#libs/storage/stored-files.js';

/** Maximum seconds of a preview, including the time in the queue. */
export const PREVIEW_SECONDS = 60;
/** Maximum previews of all users that wait or run at the same time. */
const MAX_OPEN = 40;
/** Milliseconds between two polls, for results whose event was lost. */
const POLL_EVERY = 1_000;

type Upload = Pick<NewFile, 'type' | 'name' | 'content' | 'sha256'>;

/** Requests previews of a tool's result from workers. Previews are free, do not wait for jobs, and are not kept. */
export class Previews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly live: LiveEvents,
    private readonly files: Pick<StoredFiles, 'add' | 'remove'>,
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Requests a preview of a file and waits for the result. Aborting the signal stops the worker too.
   * @param input must be validated by the contract's schema
   * @returns the worker's result; not validated
   * @throws AppError RATE_LIMITED if a preview of the user is running; UNAVAILABLE if too many previews run, or no worker
   *   responds in time; the worker's error
   */
  async make(userId: string, input: object, upload: Upload, signal: AbortSignal): Promise<object> {
    await this.requireWorker();
    const id = await this.add(userId, input);
    let key: string | undefined;
    try {
      key = await this.files.add({ userId, kind: 'upload', ...upload });
      await this.dataSource.getRepository(PreviewEntity).update({ id }, { fileKey: key });
      this.live.publish('preview:added', id);
      const answer = await this.waitForAnswer(id, signal);
      if ('result' in answer) return answer.result;
      const { code, message, field } = answer.error;
      throw new AppError(code, message, field === undefined ? {} : { details: [{ field, message }] });
    } finally {
      await this.end(id, key).catch(this.onError);
    }
  }

  private async requireWorker(): Promise<void> {
    const hasWorker = await this.dataSource
      .getRepository(WorkerSlotsEntity)
      .createQueryBuilder()
      .where({ queue: 'image' })
      .andWhere(`seen_at > now() - interval '15 seconds'`)
      .getExists();
    if (hasWorker) return;
    throw new AppError(
      'UNAVAILABLE',
      'Previews are not available at the moment. Try again soon, or continue without one.',
    );
  }

  private async add(userId: string, input: object): Promise<string> {
    const id = randomUUID();
    // Deletes an old row, which exists if its api process was killed. Otherwise the user could not request previews any
    // more.
    await execute(
      this.dataSource,
      `DELETE FROM previews WHERE user_id = $1 AND created_at < now() - make_interval(secs => $2)`,
      [userId, 2 * PREVIEW_SECONDS],
    );
    const added = await execute(
      this.dataSource,
      `INSERT INTO previews (id, user_id, input)
       SELECT $1, $2, $3::jsonb
       WHERE (SELECT count(*) FROM previews WHERE created_at > now() - make_interval(secs => $4)) < $5
       ON CONFLICT (user_id) DO NOTHING`,
      [id, userId, JSON.stringify(input), PREVIEW_SECONDS, MAX_OPEN],
    );
    if (added > 0) return id;
    const isOwn = await this.dataSource.getRepository(PreviewEntity).existsBy({ userId });
    throw isOwn
      ? new AppError('RATE_LIMITED', 'Your last preview is still being created. Wait until it is done.', {
          retryAfterSeconds: 2,
        })
      : new AppError(
          'UNAVAILABLE',
          'Too many previews are being created at the moment. Try again in a few seconds.',
        );
  }

  private async waitForAnswer(id: string, signal: AbortSignal): Promise<PreviewAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PreviewAnswer>();
    const read = async () => {
      const row = await this.dataSource.getRepository(PreviewEntity).findOneBy({ id });
      if (row === null) reject(new AppError('UNAUTHENTICATED', 'This account no longer exists.'));
      else if (row.answer) resolve(row.answer);
    };
    const tryToRead = () => void read().catch(this.onError);
    const onAbort = () => reject(signal.reason as Error);
    const unsubscribe = this.live.subscribe('preview:ended', (ended) => ended === id && tryToRead());
    const endPolling = this.clock.every(POLL_EVERY, tryToRead);
    const cancelTimer = this.clock.after(PREVIEW_SECONDS * 1_000, () => reject(tooSlow()));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      return await promise;
    } finally {
      unsubscribe();
      endPolling();
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Deletes the row and the file. If the object store fails, a sweep deletes the file later. */
  private async end(id: string, key: string | undefined): Promise<void> {
    await this.dataSource.getRepository(PreviewEntity).delete({ id });
    this.live.publish('preview:ended', id);
    if (key !== undefined) await this.files.remove([key]);
  }
}

const tooSlow = () =>
  new AppError('UNAVAILABLE', 'The preview took too long. Try again in a moment; nothing was charged.');
