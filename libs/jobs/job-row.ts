import type { ErrorCode } from '#libs/contract/errors.js';
import type { Job, JobStatus } from '#libs/contract/jobs.js';
import type { QueueName } from '#libs/contract/queues.js';
import type { Lane } from '#libs/queue/priorities.js';
import type { Priority } from '#libs/contract/queues.js';
import { isStoredPath, toUrl } from '#libs/storage/object-key.js';

/** A row of `jobs` as the driver gives it. */
export interface JobRow {
  id: string;
  user_id: string;
  tool: string;
  queue: QueueName;
  title: string;
  /** Null once retention has removed it. */
  input: unknown;
  /** The keys of its stored files by their fields. */
  files: Record<string, string>;
  status: JobStatus;
  priority: Priority;
  /** Its place among the waiting (see turns.ts). */
  lane: Lane;
  virtual_start: number;
  stage: string;
  stage_message: string;
  percent: number;
  partial: string;
  result: Record<string, unknown> | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  /** How often the job was started. Every write of a worker names the attempt it belongs to. */
  attempts: number;
  /** How many attempts failed in a way that may pass. */
  failures: number;
  /** How many attempts ended with their worker. */
  lost_attempts: number;
  run_after: Date | null;
  lease_until: Date | null;
  credits: number;
  charge_month: string | null;
  /** A bigint: the driver gives it as text. */
  revision: string;
  request_hash: string | null;
  request_id: string | null;
  /** The W3C `traceparent` of that request; null where nothing was traced. */
  trace_parent: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface Place {
  position: number;
  etaSeconds: number | null;
}

/**
 * A job as events carry it: without `partial`, which only a read of the one job gives.
 * @param publicUrl the origin for the addresses of stored files; without it they are paths on it
 */
export function toJob(row: JobRow, place: Place | null = null, publicUrl = ''): Job {
  return {
    id: row.id,
    tool: row.tool,
    title: row.title,
    status: row.status,
    progress: { percent: Math.round(row.percent), stage: row.stage, message: row.stage_message },
    position: place?.position ?? null,
    etaSeconds: place?.etaSeconds ?? null,
    result: row.result && withUrls(row.result, publicUrl),
    error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
    attempts: row.attempts,
    credits: row.credits,
    priority: row.priority,
    revision: Number(row.revision),
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** The same with the text so far; of a finished job, the whole text. */
export function toJobWithPartial(row: JobRow, place: Place | null = null, publicUrl = ''): Job {
  const content = row.result?.content;
  const isText = typeof content === 'string' && !isStoredPath(content);
  return { ...toJob(row, place, publicUrl), partial: isText ? content : row.partial };
}

/** A result with the addresses of its stored files, made now: an origin may change, so none is stored. */
export function withUrls(result: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      isStoredPath(value) ? toUrl(value, publicUrl) : value,
    ]),
  );
}
