import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { QueueEntry } from '#libs/queue/job-queue.js';

export type QueuedJob = Pick<JobEntity, 'id' | 'queue' | 'tool' | 'lane' | 'virtualStart'>;

export const toQueueEntry = ({ id, queue, tool, lane, virtualStart }: QueuedJob): QueueEntry => ({
  jobId: id,
  queue,
  tool,
  lane,
  virtualStart,
});
