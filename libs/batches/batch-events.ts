import type { Database } from '#libs/database/sql.js';
import { publishSafely, type LiveEvents } from '#libs/events/live-events.js';
import type { JobEvents } from '#libs/jobs/job-events.js';
import { readBatches, toBatch, type BatchSettings } from './batch-rows.js';

/** Publishes a batch's counts to its user when one of its jobs changes its status. Never throws. */
export class BatchEvents {
  constructor(
    private readonly database: Database,
    private readonly live: Pick<LiveEvents, 'publishToUser'>,
    jobEvents: Pick<JobEvents, 'onStatusChange'>,
    private readonly settings: BatchSettings,
    private readonly onError: (error: Error) => void,
  ) {
    jobEvents.onStatusChange(async ({ batchId }) => {
      if (batchId !== null) await this.batchChanged(batchId);
    });
  }

  async batchChanged(batchId: string): Promise<void> {
    await publishSafely(this.onError, async () => {
      const [batch] = await readBatches(this.database, 'id = $1', [batchId]);
      if (batch) this.live.publishToUser(batch.user_id, 'batch', toBatch(batch, this.settings));
    });
  }
}
