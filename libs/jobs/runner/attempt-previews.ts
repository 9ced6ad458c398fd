import { PREVIEW_MAX_BYTES } from '#libs/contract/jobs.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { previewPath } from '../job-response.js';
import type { Attempt, JobLifecycle } from '../lifecycle.js';

interface AttemptPreviewsOptions {
  attempt: Attempt;
  userId: string;
  lifecycle: Pick<JobLifecycle, 'storePreview'>;
  live: Pick<LiveEvents, 'publishToUser'>;
  onError: (error: Error) => void;
}

/** Publishes intermediate images of a running attempt. Only the newest image is stored. A failed write is skipped. */
export class AttemptPreviews {
  private count = 0;
  private storing: Promise<void> = Promise.resolve();
  private newest: Uint8Array | null = null;

  constructor(private readonly options: AttemptPreviewsOptions) {}

  /** @param image a WebP; ignored if larger than `PREVIEW_MAX_BYTES` */
  show(image: Uint8Array): void {
    if (image.length > PREVIEW_MAX_BYTES) return;
    const isStoring = this.newest !== null;
    this.newest = image;
    if (!isStoring) this.storing = this.storing.then(() => this.storeNewest());
  }

  /** Waits for the write in progress. */
  async close(): Promise<void> {
    await this.storing;
  }

  private async storeNewest(): Promise<void> {
    const { attempt, userId, lifecycle, live, onError } = this.options;
    const image = this.newest;
    this.newest = null;
    if (!image) return;
    const index = this.count++;
    try {
      if (!(await lifecycle.storePreview(attempt, index, image))) return;
      live.publishToUser(userId, 'job:preview', {
        id: attempt.jobId,
        attempt: attempt.attempt,
        index,
        url: previewPath(attempt.jobId, attempt.attempt, index),
      });
    } catch (error) {
      onError(error as Error);
    }
  }
}
