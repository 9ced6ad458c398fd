import type { Account } from '#libs/contract/account.js';
import { isEnded } from '#libs/contract/jobs.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { readAccount } from './account.js';
import { defaultBatchSettings, readBatches, toBatch, type BatchSettings } from './batch-rows.js';
import { withConversation } from './conversation.js';
import { readFlows, toFlow } from './flow-rows.js';
import { toJob } from './job-response.js';
import type { StorageQuota } from './storage-quota.js';
import type { QueuePositions } from './queue-positions.js';

/** Publishes changes to their users and to other processes, after the commit. Never throws: the rows hold everything. */
export class JobEvents {
  constructor(
    private readonly database: Database,
    private readonly live: LiveEvents,
    private readonly positions: QueuePositions,
    private readonly quota: StorageQuota,
    private readonly onError: (error: Error) => void,
    private readonly settings: BatchSettings = defaultBatchSettings,
  ) {}

  async jobChanged(job: JobEntity): Promise<void> {
    await this.quietly(async () => {
      const shown = await withConversation(this.database, job);
      this.live.publishToUser(
        job.userId,
        'job',
        toJob(shown, await this.positions.of(job), this.settings.publicUrl),
      );
      if (isEnded(job.status)) this.live.publish('job:ended', job.id);
    });
    // Progress of one picture or step changes nothing of its batch or flow.
    const isStep = job.status !== 'running' || job.stage === 'starting';
    if (job.batchId !== null && isStep) await this.batchChanged(job.batchId);
    if (job.flowId !== null && isStep) await this.flowChanged(job.flowId);
  }

  /** A flow with its steps as they stand now. */
  async flowChanged(flowId: string): Promise<void> {
    await this.quietly(async () => {
      const [flow] = await readFlows(this.database, 'id = $1', [flowId]);
      if (flow) this.live.publishToUser(flow.user_id, 'flow', toFlow(flow));
    });
  }

  /** The counts of a batch as they stand now. */
  async batchChanged(batchId: string): Promise<void> {
    await this.quietly(async () => {
      const [batch] = await readBatches(this.database, 'id = $1', [batchId]);
      if (batch) this.live.publishToUser(batch.user_id, 'batch', toBatch(batch, this.settings));
    });
  }

  /** A creation was deleted, restored, published, withdrawn, edited, renamed or tagged, or its versions changed. */
  async creationChanged(userId: string, id: string): Promise<void> {
    await this.quietly(async () => this.live.publishToUser(userId, 'creation', { id }));
  }

  /** The same of several. */
  async creationsChanged(userId: string, ids: string[]): Promise<void> {
    await this.quietly(async () => {
      const [id] = ids;
      if (id !== undefined)
        this.live.publishToUser(userId, 'creation', ids.length === 1 ? { id } : { id, ids });
    });
  }

  /** The user saved a search, renamed or deleted one. */
  searchesChanged(userId: string): void {
    this.live.publishToUser(userId, 'searches');
  }

  /** The user's plan, credits and storage as they stand now. */
  async accountChanged(userId: string): Promise<void> {
    await this.quietly(async () => {
      const account = await readAccount(this.database, userId, this.quota);
      if (account) this.live.publishToUser(userId, 'account', account);
    });
  }

  /** The same, by what a transaction that was committed just now knew. */
  accountKnown(userId: string, account: Account): void {
    this.live.publishToUser(userId, 'account', account);
  }

  /**
   * Ends the tokens and sockets of a session. After a revocation every open page of the user is asked for a new token
   * at once; those of the session get none. A user who signed out needs no event.
   */
  sessionEnded({ id, userId }: { id: string; userId: string }, isRevoked: boolean): void {
    this.live.publish('session:ended', id);
    if (isRevoked) this.live.publishToUser(userId, 'token:expiring', { seconds: 0 });
  }

  private async quietly(publish: () => Promise<void>): Promise<void> {
    try {
      await publish();
    } catch (error) {
      this.onError(error as Error);
    }
  }
}
