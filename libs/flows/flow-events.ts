import type { Database } from '#libs/database/sql.js';
import { publishSafely, type LiveEvents } from '#libs/events/live-events.js';
import type { JobEvents } from '#libs/jobs/job-events.js';
import { readFlows, toFlow } from './flow-rows.js';

/** Publishes a flow with its steps to its user when one of its jobs changes its status. Never throws. */
export class FlowEvents {
  constructor(
    private readonly database: Database,
    private readonly live: Pick<LiveEvents, 'publishToUser'>,
    jobEvents: Pick<JobEvents, 'onStatusChange'>,
    private readonly onError: (error: Error) => void,
  ) {
    jobEvents.onStatusChange(async ({ flowId }) => {
      if (flowId !== null) await this.flowChanged(flowId);
    });
  }

  async flowChanged(flowId: string): Promise<void> {
    await publishSafely(this.onError, async () => {
      const [flow] = await readFlows(this.database, 'id = $1', [flowId]);
      if (flow) this.live.publishToUser(flow.user_id, 'flow', toFlow(flow));
    });
  }
}
