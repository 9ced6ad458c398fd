import { isEnded } from '#libs/contract/jobs.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { publishSafely, type LiveEvents } from '#libs/events/live-events.js';
import type { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { withConversation } from './conversation.js';
import { toJob } from './job-response.js';

/** Publishes changes of jobs to their users and to other processes, after the commit. Never throws. */
export class JobEvents {
  private readonly statusListeners: ((job: JobEntity) => Promise<void>)[] = [];

  constructor(
    private readonly database: Database,
    private readonly live: Pick<LiveEvents, 'publish' | 'publishToUser'>,
    private readonly positions: QueuePositions,
    private readonly onError: (error: Error) => void,
    private readonly publicUrl = '',
  ) {}

  /** @param listener called after each published status change, but not for progress; must not throw */
  onStatusChange(listener: (job: JobEntity) => Promise<void>): void {
    this.statusListeners.push(listener);
  }

  async jobChanged(job: JobEntity): Promise<void> {
    await publishSafely(this.onError, async () => {
      const answered = await withConversation(this.database, job);
      const position = await this.positions.of(job);
      this.live.publishToUser(job.userId, 'job', toJob(answered, position, this.publicUrl));
      if (isEnded(job.status)) this.live.publish('job:ended', job.id);
    });
    if (job.status === 'running' && job.stage !== 'starting') return;
    for (const listener of this.statusListeners) await listener(job);
  }
}
