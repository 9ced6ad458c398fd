import { z } from 'zod';
import {
  adminJobSchema,
  attemptSchema,
  jobStorySchema,
  type AdminJob,
  type AdminJobsQuery,
  type JobFilter,
  type JobStory,
} from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { CreditEntryEntity } from '#libs/database/entities/credits.js';
import { ProviderCallEntity } from '#libs/database/entities/provider-calls.js';
import { isoTime, queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { readAuditLog } from '#libs/audit/audit-log.js';

const rowSchema = adminJobSchema.extend({
  createdAt: isoTime,
  startedAt: isoTime.nullable(),
  finishedAt: isoTime.nullable(),
});

/** The columns of an {@link AdminJob}; never title, input and result, which are private to the user. */
const COLUMNS = `jobs.id, tool, queue, status, user_id AS "userId", email, priority, attempts, credits,
  CASE WHEN error_code IS NOT NULL THEN jsonb_build_object('code', error_code, 'message', coalesce(error_message, '')) END AS error,
  jobs.created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt",
  greatest(extract(epoch FROM coalesce(started_at, finished_at, now()) - jobs.created_at), 0)::float AS "waitedSeconds",
  extract(epoch FROM coalesce(finished_at, now()) - started_at)::float AS "ranSeconds"`;

interface JobCondition extends JobFilter {
  statuses?: string[];
  isRetried?: boolean;
}

/** SQL of a filter, whose parameters are numbered from `$1`. */
function conditionOf({
  id,
  user,
  tool,
  queue,
  status,
  statuses,
  isRetried,
  code,
  words,
  from,
  to,
}: JobCondition) {
  const given: [unknown, (parameter: string) => string][] = [
    [id, (p) => `jobs.id = ${p}::uuid`],
    [user, (p) => `user_id IN (SELECT id FROM users WHERE id = ${p} OR lower(email) = lower(${p}))`],
    [tool, (p) => `tool = ${p}`],
    [queue, (p) => `queue = ${p}`],
    [status, (p) => `status = ${p}`],
    [statuses, (p) => `status = ANY (${p}::text[])`],
    [isRetried, (p) => `EXISTS (SELECT FROM jobs again WHERE again.retry_of = jobs.id) = ${p}::boolean`],
    [code, (p) => `error_code = ${p}`],
    [words, (p) => `position(lower(${p}) IN lower(error_message)) > 0`],
    [from, (p) => `jobs.created_at >= ${p}::timestamptz`],
    [to, (p) => `jobs.created_at < ${p}::timestamptz`],
  ];
  const used = given.filter(([value]) => value !== undefined);
  return {
    condition: used.map(([, sql], n) => sql(`$${n + 1}`)).join(' AND ') || 'true',
    parameters: used.map(([value]) => value),
  };
}

/** Ids of jobs, the oldest first. */
export async function findJobs(database: Database, filter: JobCondition, limit: number): Promise<string[]> {
  const { condition, parameters } = conditionOf(filter);
  const found = await queryRows(
    database,
    z.object({ id: z.string() }),
    `SELECT id FROM jobs WHERE ${condition} ORDER BY created_at, id LIMIT ${limit}`,
    parameters,
  );
  return found.map(({ id }) => id);
}

/** @throws AppError VALIDATION_FAILED if the cursor is invalid */
export async function listJobs(
  database: Database,
  {
    order,
    cursor,
    limit,
    ...filter
  }: Pick<AdminJobsQuery, 'order' | 'limit'> & { cursor?: string } & JobCondition,
): Promise<{ jobs: AdminJob[]; nextCursor: string | null }> {
  const waiting = order === 'longest-wait';
  const { condition, parameters } = conditionOf(waiting ? { ...filter, status: 'queued' } : filter);
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const place = [`$${parameters.length + 1}::timestamptz`, `$${parameters.length + 2}::uuid`].join(', ');
  const [direction, compare] = waiting ? ['ASC', '>'] : ['DESC', '<'];
  const read = (since: string | null) =>
    queryRows(
      database,
      rowSchema,
      `SELECT ${COLUMNS} FROM jobs LEFT JOIN users ON users.id = user_id
       WHERE ${condition}${after ? ` AND (jobs.created_at, jobs.id) ${compare} (${place})` : ''}
         ${since === null ? '' : `AND jobs.created_at > now() - interval '${since}'`}
       ORDER BY jobs.created_at ${direction}, jobs.id ${direction} LIMIT ${limit + 1}`,
      [...parameters, ...(after ? [after.time, after.id] : [])],
    );
  let rows: z.infer<typeof rowSchema>[] = [];
  // Jobs have no index by time alone, but their age limits the part of the table that is read.
  for (const since of waiting ? [null] : ['1 day', '30 days', null]) {
    rows = await read(since);
    if (rows.length > limit) break;
  }
  const jobs = rows.slice(0, limit);
  const last = jobs.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(new Date(last.createdAt), last.id) : null;
  return { jobs, nextCursor };
}

const storyRowSchema = rowSchema
  .extend(
    jobStorySchema.pick({
      failures: true,
      lostAttempts: true,
      progress: true,
      engine: true,
      requestId: true,
      batchId: true,
      flowId: true,
      retryOf: true,
      retriedBy: true,
      hasInput: true,
    }).shape,
  )
  .extend({ attemptLog: z.array(attemptSchema), traceParent: z.string().nullable() });

/**
 * Everything about a job but its private contents.
 * @param traceUrl address of a trace with `{traceId}` in it, or null
 * @throws AppError NOT_FOUND
 */
export async function readJobStory(
  database: Database,
  id: string,
  traceUrl: string | null,
): Promise<JobStory> {
  const found = await queryRow(
    database,
    storyRowSchema,
    `SELECT ${COLUMNS}, failures, lost_attempts AS "lostAttempts", attempt_log AS "attemptLog", engine,
       jsonb_build_object('percent', percent, 'stage', stage, 'message', stage_message) AS progress,
       request_id AS "requestId", trace_parent AS "traceParent", batch_id AS "batchId", flow_id AS "flowId",
       retry_of AS "retryOf", input IS NOT NULL AS "hasInput",
       (SELECT coalesce(jsonb_agg(again.id ORDER BY again.created_at), '[]') FROM jobs again WHERE again.retry_of = jobs.id)
         AS "retriedBy"
     FROM jobs LEFT JOIN users ON users.id = user_id WHERE jobs.id = $1`,
    [id],
  );
  if (!found) throw jobNotFound(id);
  const { traceParent, ...job } = found;
  const traceId = traceParent?.split('-')[1] ?? null;
  const entries = await database
    .getRepository(CreditEntryEntity)
    .find({ where: { jobId: id }, order: { id: 'ASC' } });
  return {
    ...job,
    ledger: entries.map(({ kind, amount, month, apiKeyId, note, createdAt }) => ({
      ...{ kind, amount, month, apiKeyId, note, at: createdAt.toISOString() },
    })),
    calls: (
      await database
        .getRepository(ProviderCallEntity)
        .find({ where: { jobId: id }, order: { startedAt: 'ASC' } })
    ).map(
      ({
        attempt,
        provider,
        model,
        kind,
        status,
        startedAt,
        seconds,
        inputTokens,
        outputTokens,
        images,
        ...call
      }) => ({
        ...{ attempt, provider, model, kind, status, at: startedAt.toISOString(), seconds },
        ...{ inputTokens, outputTokens, images },
        cost: call.cost === null ? null : call.cost / 1e6,
        ...{ currency: call.currency, errorCode: call.errorCode },
      }),
    ),
    traceId,
    traceUrl: traceId && traceUrl && traceUrl.replace('{traceId}', traceId),
    audit: await readAuditLog(database, { target: id, limit: 50 }),
  };
}

export const jobNotFound = (id: string) => new AppError('NOT_FOUND', `There is no job with the id "${id}".`);
