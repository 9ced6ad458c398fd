import type { Job } from '#libs/contract/jobs.js';
import { percentAfter, type Expectation, type Progress } from '#libs/contract/progress.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import type { QueuePosition } from '#libs/scheduling/queue-positions.js';
import { isStoredPath, toUrl } from '#libs/storage/object-key.js';

/**
 * Converts a job to the API format without its partial text, as in events. @param publicUrl prefix that makes file URLs
 * absolute
 */
export function toJob(job: JobEntity, queued: QueuePosition | null = null, publicUrl = ''): Job {
  return {
    id: job.id,
    tool: job.tool,
    ...(job.batchId !== null && { batchId: job.batchId }),
    ...(job.flowId !== null && { flowId: job.flowId }),
    ...notebookOf(job),
    title: job.resultDeletedAt ? titleOf(job.tool) : job.title,
    status: job.status,
    progress: toProgress(job),
    position: queued?.position ?? null,
    etaSeconds: queued?.etaSeconds ?? null,
    waiting: queued?.waiting ?? null,
    wentAheadOf: job.wentAheadOf,
    preview: previewOf(job),
    result: job.result && !job.resultDeletedAt ? withUrls(job.result, publicUrl) : null,
    ...(isResultDeleted(job) && { resultDeleted: true }),
    error: job.errorCode ? { code: job.errorCode, message: job.errorMessage ?? '' } : null,
    attempts: job.attempts,
    credits: job.credits,
    priority: job.priority,
    group: job.groupId,
    revision: job.revision,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
}

/** From the input, which is deleted when the job succeeds, or else from the result. */
function notebookOf({ input, result }: JobEntity): Pick<Job, 'notebookId'> {
  const asked = (input as Record<string, unknown> | null)?.['notebook_id'] ?? result?.['notebookId'];
  return typeof asked === 'string' ? { notebookId: asked } : {};
}

function toProgress(job: JobEntity): Progress {
  const { percent, measure, stage, stageMessage: message, status } = job;
  const elapsedSeconds = secondsSinceStart(job);
  const progress = {
    percent,
    kind: measure || status === 'succeeded' ? ('measured' as const) : ('estimated' as const),
    measure,
    elapsedSeconds,
    expectedSeconds: expectationOf(job),
    stage,
    message,
  };
  const reached = status === 'succeeded' ? percent : percentAfter(progress, elapsedSeconds);
  return { ...progress, percent: Math.round(reached) };
}

/** Rounded to a tenth of a second. Null before the first start. */
function secondsSinceStart({ startedAt, finishedAt }: JobEntity): number | null {
  if (!startedAt) return null;
  const milliseconds = (finishedAt?.getTime() ?? Date.now()) - startedAt.getTime();
  return Math.max(0, Math.round(milliseconds / 100) / 10);
}

export const expectationOf = ({
  expectedFrom: from,
  expectedTo: to,
}: Pick<JobEntity, 'expectedFrom' | 'expectedTo'>): Expectation | null =>
  from === null || to === null ? null : { from: Math.round(from * 10) / 10, to: Math.round(to * 10) / 10 };

/** URL path of a preview. Includes attempt and index, so that browsers don't show a cached older preview. */
export const previewPath = (jobId: string, attempt: number, index: number) =>
  `/api/jobs/${jobId}/preview?attempt=${attempt}&index=${index}`;

const previewOf = ({ id, status, attempts: attempt, previewIndex: index }: JobEntity): Job['preview'] =>
  status === 'running' && index !== null ? { attempt, index, url: previewPath(id, attempt, index) } : null;

/** Like {@link toJob}, plus `partial`: the text so far, or the whole text of a finished job. */
export function toJobWithPartial(job: JobEntity, queued: QueuePosition | null = null, publicUrl = ''): Job {
  if (job.resultDeletedAt) return { ...toJob(job, queued, publicUrl), partial: '' };
  const content = job.result?.content;
  const isText = typeof content === 'string' && !isStoredPath(content);
  return { ...toJob(job, queued, publicUrl), partial: isText ? content : job.partial };
}

/** True if the job succeeded and its user later deleted the creation. */
export const isResultDeleted = ({ status, resultDeletedAt }: JobEntity): boolean =>
  status === 'succeeded' && resultDeletedAt !== null;

const titleOf = (tool: string) => (isToolName(tool) ? tools[tool].title : tool);

/**
 * Replaces stored file keys in a result by URLs. Stored results contain no URLs, since the server's origin may change.
 */
export function withUrls(result: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      isStoredPath(value) ? toUrl(value, publicUrl) : value,
    ]),
  );
}
