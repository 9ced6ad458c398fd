import { In, IsNull } from 'typeorm';
import { z } from 'zod';
import {
  adminJobSchema,
  attemptSchema,
  jobStorySchema,
  type AdminJob,
  type AdminJobsQuery,
  type JobContents,
  type JobFilter,
  type JobStory,
} from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { CreditEntryEntity } from '#libs/database/entities/credits.js';
import { StoredObjectEntity } from '#libs/database/entities/creations.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { ProviderCallEntity } from '#libs/database/entities/provider-calls.js';
import { isoTime, queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { findCancellingAct, readAuditLog } from '#libs/audit/audit-log.js';

const rowSchema = adminJobSchema.extend({
  createdAt: isoTime,
  startedAt: isoTime.nullable(),
  finishedAt: isoTime.nullable(),
});

/** SQL: since when a waiting job waits. In milliseconds, so that a cursor matches its row. */
export const WAITING_SINCE = `date_trunc('milliseconds', coalesce((attempt_log -> -1 ->> 'endedAt')::timestamptz, jobs.created_at))`;

/** The columns of an {@link AdminJob}; never title, input and result, which are private to the user. */
const COLUMNS = `jobs.id, tool, queue, status, user_id AS "userId", email, priority, attempts, credits,
  CASE WHEN error_code IS NOT NULL THEN jsonb_build_object('code', error_code, 'message', coalesce(error_message, '')) END AS error,
  jobs.created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt",
  greatest(extract(epoch FROM CASE status WHEN 'queued' THEN now() - ${WAITING_SINCE}
    ELSE coalesce(started_at, finished_at, now()) - jobs.created_at END), 0)::float AS "waitedSeconds",
  -- Not negative: an end may be the time of a transaction that waited for the start.
  CASE WHEN status <> 'queued' AND started_at IS NOT NULL
    THEN greatest(extract(epoch FROM coalesce(finished_at, now()) - started_at), 0)::float END AS "ranSeconds"`;

/** From the first quotation mark to the last, or to the end. The same in JavaScript (with `s`) and PostgreSQL. */
const QUOTED = '[“"](.*[”"]|[^”"]*$)';
const MASK = '“…”';

/** Without quoted parts, which may be the user's words. */
const withoutQuotes = (message: string) => message.replace(new RegExp(QUOTED, 's'), MASK);

const withNeutralError = <Row extends Pick<AdminJob, 'error'>>(job: Row): Row => ({
  ...job,
  error: job.error && { ...job.error, message: withoutQuotes(job.error.message) },
});

/** SQL: whether the message that operators see has all words of the parameter, in any order. */
const hasWords = (parameter: string) =>
  `(SELECT bool_and(position(word IN lower(regexp_replace(error_message, '${QUOTED}', '${MASK}'))) > 0)
    FROM regexp_split_to_table(btrim(lower(${parameter})), '\\s+') AS word)`;

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
  endedFrom,
}: JobCondition) {
  const given: [unknown, (parameter: string) => string][] = [
    [
      id,
      (p) => `jobs.id IN (SELECT id FROM jobs WHERE id = ${p}::uuid
        UNION ALL SELECT id FROM jobs WHERE request_id = ${p}::text AND NOT EXISTS (SELECT FROM jobs WHERE id = ${p}::uuid))`,
    ],
    [
      user,
      (p) => `user_id IN (WITH exact AS (SELECT id FROM users WHERE id = ${p} OR lower(email) = lower(${p}))
        SELECT id FROM exact UNION ALL
        SELECT id FROM users WHERE position(lower(${p}) IN lower(email)) > 0 AND NOT EXISTS (SELECT FROM exact))`,
    ],
    [tool, (p) => `tool = ${p}`],
    [queue, (p) => `queue = ${p}`],
    [status, (p) => `status = ${p}`],
    [statuses, (p) => `status = ANY (${p}::text[])`],
    [isRetried, (p) => `EXISTS (SELECT FROM jobs again WHERE again.retry_of = jobs.id) = ${p}::boolean`],
    [code, (p) => `error_code = ${p}`],
    [words, (p) => `(request_id = ${p} OR ${hasWords(p)})`],
    [from, (p) => `jobs.created_at >= ${p}::timestamptz`],
    [to, (p) => `jobs.created_at < ${p}::timestamptz`],
    [endedFrom, (p) => `finished_at >= ${p}::timestamptz`],
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

/** A filter for the audit log, which outlives accounts: with the id of its user, if it names one, instead of the email. */
export async function toLoggedFilter(
  database: Database,
  filter: JobFilter,
): Promise<{ filter: JobFilter; userId?: string }> {
  if (filter.user === undefined) return { filter };
  const [found, another] = await queryRows(
    database,
    z.object({ id: z.string() }),
    `SELECT id FROM users WHERE id = $1 OR lower(email) = lower($1) LIMIT 2`,
    [filter.user],
  );
  return found && !another ? { filter: { ...filter, user: found.id }, userId: found.id } : { filter };
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
  const [time, direction, compare] = waiting ? [WAITING_SINCE, 'ASC', '>'] : ['jobs.created_at', 'DESC', '<'];
  const read = (since: string | null) =>
    queryRows(
      database,
      rowSchema.extend({ time: isoTime }),
      `SELECT ${COLUMNS}, ${time} AS time FROM jobs LEFT JOIN users ON users.id = user_id
       WHERE ${condition}${after ? ` AND (${time}, jobs.id) ${compare} (${place})` : ''}
         ${since === null ? '' : `AND jobs.created_at > now() - interval '${since}'`}
       ORDER BY ${time} ${direction}, jobs.id ${direction} LIMIT ${limit + 1}`,
      [...parameters, ...(after ? [after.time, after.id] : [])],
    );
  let rows: Awaited<ReturnType<typeof read>> = [];
  // Jobs have no index by time alone, but their age limits the part of the table that is read.
  for (const since of waiting ? [null] : ['1 day', '30 days', null]) {
    rows = await read(since);
    if (rows.length > limit) break;
  }
  const listed = rows.slice(0, limit);
  const last = listed.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(new Date(last.time), last.id) : null;
  return { jobs: listed.map(({ time: _, ...job }) => withNeutralError(job)), nextCursor };
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
  const { traceParent, progress, attemptLog, ...job } = found;
  const traceId = traceParent?.split('-')[1] ?? null;
  const { queue, userId, status, finishedAt } = job;
  const audit = await readAuditLog(database, { target: id, limit: 50 });
  const cancelling =
    status === 'cancelled' && finishedAt !== null
      ? await findCancellingAct(database, { queue, userId, finishedAt })
      : undefined;
  const entries = await database
    .getRepository(CreditEntryEntity)
    .find({ where: { jobId: id }, order: { id: 'ASC' } });
  return {
    ...withNeutralError(job),
    progress: { ...progress, message: withoutQuotes(progress.message) },
    attemptLog: attemptLog.map(({ message, ...attempt }) => ({
      ...attempt,
      ...(message !== undefined && { message: withoutQuotes(message) }),
    })),
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
        ...{ attempt: attempt!, provider, model, kind, status, at: startedAt.toISOString(), seconds },
        ...{ inputTokens, outputTokens, images },
        cost: call.cost === null ? null : call.cost / 1e6,
        ...{ currency: call.currency, errorCode: call.errorCode },
      }),
    ),
    traceId,
    traceUrl: traceId && traceUrl && traceUrl.replace('{traceId}', traceId),
    audit: [...audit, ...(cancelling ? [cancelling] : [])].toSorted((one, other) => other.id - one.id),
  };
}

/** What is private to the job's user. @throws AppError NOT_FOUND */
export async function readJobContents(
  database: Database,
  id: string,
): Promise<JobContents & { userId: string }> {
  const job = await database.getRepository(JobEntity).findOneBy({ id });
  if (!job) throw jobNotFound(id);
  const { userId, title, input, result, partial, errorMessage, stageMessage } = job;
  const stored = await database
    .getRepository(StoredObjectEntity)
    .findBy({ key: In(Object.values(job.files)), userId, removedAt: IsNull() });
  const files = Object.entries(job.files).flatMap(([field, key]) =>
    stored.filter((file) => file.key === key).map(({ name, type, bytes }) => ({ field, name, type, bytes })),
  );
  return { userId, title, input, result, partial, error: errorMessage, progress: stageMessage, files };
}

export const jobNotFound = (id: string) => new AppError('NOT_FOUND', `There is no job with the id "${id}".`);
