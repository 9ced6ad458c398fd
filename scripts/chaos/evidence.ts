import type { World } from './world.ts';

/** Rows of a round's users, read by plain SQL. */
export interface Rows {
  users: { id: string; pictureKey: string | null; isSuspended: boolean }[];
  jobs: JobRow[];
  entries: { userId: string; month: string; kind: string; amount: number; jobId: string | null }[];
  balances: { userId: string; month: string; granted: number; balance: number }[];
  creations: CreationRow[];
  batches: BatchRow[];
  items: ItemRow[];
  flows: { id: string; userId: string; key: string | null }[];
  steps: StepRow[];
  versions: VersionRow[];
  /** Of the round's operator. */
  audit: AuditRow[];
}

export interface AuditRow {
  action: string;
  target: string;
  reason: string;
  details: Record<string, unknown>;
}

export interface BatchRow {
  id: string;
  userId: string;
  credits: number;
  key: string | null;
}

export interface ItemRow {
  batchId: string;
  n: number;
  jobId: string;
  name: string;
  sent: boolean;
  leftOut: boolean;
}

export interface StepRow {
  flowId: string;
  n: number;
  jobId: string;
  credits: number;
  started: boolean;
  leftOut: boolean;
  /** Its input is ready, and its flow has not ended. */
  isReady: boolean;
}

export interface VersionRow {
  id: string;
  creationId: string;
  number: number;
  isCurrent: boolean;
  content: string;
}

export interface JobRow {
  id: string;
  userId: string;
  tool: string;
  status: string;
  stage: string;
  /** Seconds since the submission. */
  age: number;
  attempts: number;
  credits: number;
  revision: number;
  result: Record<string, unknown> | null;
  key: string | null;
  retryOf: string | null;
  batchId: string | null;
  groupId: string | null;
}

export interface CreationRow {
  id: string;
  userId: string;
  jobId: string | null;
  prompt: string;
  content: string;
  madeFrom: string | null;
  isDeleted: boolean;
}

/** Remaining data after all retention. */
export interface Remains {
  /** Names of objects in the store. */
  stored: string[];
  objects: { key: string; kind: string; isRemoved: boolean; isStored: boolean; creationId: string | null }[];
  creationIds: string[];
  /** Keys of the creations' current files, and of all their versions with thumbnails. */
  currentKeys: string[];
  versionKeys: string[];
  pictureKeys: string[];
  documentKeys: string[];
  previews: string[];
  queueEntries: string[];
  /** Places with texts that their users deleted. */
  traces: string[];
  problems: string[];
}

const list = (ids: string[]) => ids.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ') || `''`;

export async function readRows(world: World, userIds: string[], operatorId = ''): Promise<Rows> {
  const query: World['query'] = (sql) => world.query(sql);
  const of = (column: string) => `${column} IN (${list(userIds)})`;
  const [users, jobs, entries, balances, creations, batches, items, flows, steps, versions, audit] =
    await Promise.all([
      query<Rows['users'][0]>(
        `SELECT id, picture_key AS "pictureKey", suspended_at IS NOT NULL AS "isSuspended" FROM users WHERE ${of('id')}`,
      ),
      query<JobRow>(
        `SELECT id::text, user_id AS "userId", tool, status, stage, extract(epoch FROM now() - created_at)::integer AS age, attempts, credits, revision::integer, result,
              idempotency_key AS key, retry_of::text AS "retryOf",
              batch_id::text AS "batchId", group_id::text AS "groupId" FROM jobs WHERE ${of('user_id')}`,
      ),
      query<Rows['entries'][0]>(
        `SELECT user_id AS "userId", month::text, kind, amount, job_id::text AS "jobId" FROM credit_entries WHERE ${of('user_id')}`,
      ),
      query<Rows['balances'][0]>(
        `SELECT user_id AS "userId", month::text, granted, balance FROM credit_balances WHERE ${of('user_id')}`,
      ),
      query<CreationRow>(
        `SELECT id::text, user_id AS "userId", job_id::text AS "jobId", prompt, content, made_from::text AS "madeFrom", deleted_at IS NOT NULL AS "isDeleted"
       FROM creations WHERE ${of('user_id')}`,
      ),
      query<BatchRow>(
        `SELECT id::text, user_id AS "userId", credits, idempotency_key AS key FROM batches WHERE ${of('user_id')}`,
      ),
      query<ItemRow>(
        `SELECT batch_id::text AS "batchId", n, job_id::text AS "jobId", name, sent, left_out AS "leftOut"
       FROM batch_items WHERE batch_id IN (SELECT id FROM batches WHERE ${of('user_id')})`,
      ),
      query<Rows['flows'][0]>(
        `SELECT id::text, user_id AS "userId", idempotency_key AS key FROM flows WHERE ${of('user_id')}`,
      ),
      query<StepRow>(
        `SELECT step.flow_id::text AS "flowId", step.n, step.job_id::text AS "jobId", step.credits, step.started,
              step.left_out AS "leftOut", ended_at IS NULL AND NOT step.started AND NOT step.left_out
                AND (step.needs IS NULL OR coalesce(needed_job.status = 'succeeded', false)) AS "isReady"
       FROM flow_steps step JOIN flows ON flows.id = step.flow_id
         LEFT JOIN flow_steps needed ON needed.flow_id = flows.id AND needed.n = step.needs
         LEFT JOIN jobs needed_job ON needed_job.id = needed.job_id
       WHERE ${of('flows.user_id')}`,
      ),
      query<VersionRow>(
        `SELECT id::text, creation_id::text AS "creationId", number, is_current AS "isCurrent", content
       FROM creation_versions WHERE creation_id IN (SELECT id FROM creations WHERE ${of('user_id')})`,
      ),
      query<AuditRow>(
        `SELECT action, target, reason, details FROM audit_log WHERE details ->> 'operatorId' = '${operatorId}'`,
      ),
    ]);
  return { users, jobs, entries, balances, creations, batches, items, flows, steps, versions, audit };
}

/** @param deletedTexts texts that users deleted */
export async function readRemains(world: World, deletedTexts: string[]): Promise<Remains> {
  const query: World['query'] = (sql) => world.query(sql);
  const column = async (sql: string) => (await query<{ value: string }>(sql)).map(({ value }) => value);
  return {
    stored: await world.storedObjects(),
    objects: await query<Remains['objects'][0]>(
      `SELECT key, kind, removed_at IS NOT NULL AS "isRemoved", stored_at IS NOT NULL AS "isStored",
              creation_id::text AS "creationId" FROM objects`,
    ),
    creationIds: await column('SELECT id::text AS value FROM creations'),
    currentKeys: await column(
      `SELECT substring(content FROM 8) AS value FROM creations WHERE content LIKE '/files/%' AND type = 'image'`,
    ),
    versionKeys: await column(
      `SELECT substring(content FROM 8) AS value FROM creation_versions
       UNION SELECT thumbnail_key FROM creation_versions WHERE thumbnail_key IS NOT NULL`,
    ),
    pictureKeys: await column('SELECT picture_key AS value FROM users WHERE picture_key IS NOT NULL'),
    documentKeys: await column('SELECT file_key AS value FROM pdf_documents WHERE file_key IS NOT NULL'),
    previews: await column('SELECT id::text AS value FROM previews'),
    queueEntries: await world.queueEntries(),
    traces: await world.traces(deletedTexts),
    problems: world.problems(),
  };
}
