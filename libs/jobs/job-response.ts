import type { Job } from '#libs/contract/jobs.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import { isStoredPath, toUrl } from '#libs/storage/object-key.js';

export interface QueuePosition {
  position: number;
  etaSeconds: number | null;
}

/** A job as events carry it, without `partial`. @param publicUrl makes the addresses of files absolute */
export function toJob(job: JobEntity, queued: QueuePosition | null = null, publicUrl = ''): Job {
  return {
    id: job.id,
    tool: job.tool,
    title: job.resultDeletedAt ? titleOf(job.tool) : job.title,
    status: job.status,
    progress: { percent: Math.round(job.percent), stage: job.stage, message: job.stageMessage },
    position: queued?.position ?? null,
    etaSeconds: queued?.etaSeconds ?? null,
    result: job.result && !job.resultDeletedAt ? withUrls(job.result, publicUrl) : null,
    ...(isResultDeleted(job) && { resultDeleted: true }),
    error: job.errorCode ? { code: job.errorCode, message: job.errorMessage ?? '' } : null,
    attempts: job.attempts,
    credits: job.credits,
    priority: job.priority,
    revision: job.revision,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
}

/** The same with the text so far; of a finished job, the whole text. */
export function toJobWithPartial(job: JobEntity, queued: QueuePosition | null = null, publicUrl = ''): Job {
  if (job.resultDeletedAt) return { ...toJob(job, queued, publicUrl), partial: '' };
  const content = job.result?.content;
  const isText = typeof content === 'string' && !isStoredPath(content);
  return { ...toJob(job, queued, publicUrl), partial: isText ? content : job.partial };
}

/** Whether the user deleted what the job made. */
export const isResultDeleted = ({ status, resultDeletedAt }: JobEntity): boolean =>
  status === 'succeeded' && resultDeletedAt !== null;

const titleOf = (tool: string) => (isToolName(tool) ? tools[tool].title : tool);

/** A result with the addresses of its stored files. They are not stored, since the origin may change. */
export function withUrls(result: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      isStoredPath(value) ? toUrl(value, publicUrl) : value,
    ]),
  );
}
