import { randomUUID } from 'node:crypto';
import { In, type DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import {
  MAX_OPEN_BATCHES,
  type Batch,
  type BatchItem,
  type BatchListQuery,
  type BatchTool,
  type BatchWithItems,
  type NewBatch,
} from '#libs/contract/batches.js';
import { AppError } from '#libs/contract/errors.js';
import { withoutPastedControls } from '#libs/contract/text.js';
import { requireStorable, validationError } from '#libs/contract/validation.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { BatchEntity, BatchItemEntity } from '#libs/database/entities/batches.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { execute, queryEntities, type Database, type Transaction } from '#libs/database/sql.js';
import { creditsCharged, creditsRefunded } from '#libs/observability/metrics.js';
import { createKey, isKey } from '#libs/storage/object-key.js';
import { contractOf, tools, type ToolInput } from '#libs/tools/catalogue.js';
import {
  leaveOutMissing,
  batchNotFound,
  pictureNotFound,
  pictureLeftOut,
  retriedBatchItem,
} from './batch-items.js';
import {
  defaultBatchSettings,
  isOpen,
  openDaysOf,
  readBatches,
  readBatchItems,
  readResultFiles,
  stateOf,
  toBatch,
  toBatchItem,
  type BatchItemRow,
  type BatchRow,
  type BatchSettings,
} from './batch-rows.js';
import { countApiKeyJobs, requireApiKeyCaps } from '#libs/billing/api-key-caps.js';
import { chargeCreditsForJobs, insufficientCredits, monthOf } from '#libs/billing/credits.js';
import { findByIdempotencyKey, hashRequest } from '#libs/jobs/idempotency.js';
import { ignoreEnded, type JobLifecycle } from '#libs/jobs/lifecycle.js';
import type { ZipDownload } from '#libs/storage/zip-download.js';
import { markOriginalsForDeletion } from '#libs/storage/stored-files.js';
import { toPictureName, zipNames } from '#libs/storage/zip-names.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { lockUser, lockUserIfPresent } from '#libs/accounts/lock-user.js';
import { requireActive } from '#libs/accounts/suspension.js';
import { requirePlan } from '#libs/billing/plan.js';
import { requireRoomAhead, type StorageQuota } from '#libs/billing/storage-quota.js';
import type { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { BATCH_ROW_BYTES } from '#libs/database/functions/storage-use.sql.js';
import type { JobSubmission } from '#libs/jobs/submission.js';
import type { BatchEvents } from './batch-events.js';

export interface BatchPublishers {
  batchEvents: Pick<BatchEvents, 'batchChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged'>;
}

export interface BatchesDeps extends BatchPublishers {
  dataSource: DataSource;
  lifecycle: Pick<JobLifecycle, 'cancel' | 'cancelAllWaiting'>;
  submission: Pick<JobSubmission, 'onRetry'>;
  /** Optional, since the worker checks the budgets again. */
  budgets?: Pick<ProviderBudgets, 'requireRoom'>;
  storageQuota: StorageQuota;
  settings?: BatchSettings;
  /** Default: the prices of the tools' contracts. */
  prices?: Prices;
  clock?: Clock;
}

/** What a request for a new batch has beside its body. */
interface BatchRequest {
  idempotencyKey?: string;
  /** Key of the program that sent the request. */
  apiKeyId?: string;
}

/**
 * Batches: many pictures for one tool. A batch is charged as a whole on creation, with one ledger entry per picture
 * under the id reserved for its job. `JobSubmission` creates the job when the picture is uploaded. Batches of other
 * users throw NOT_FOUND.
 */
export class Batches {
  private readonly settings: BatchSettings;
  private readonly clock: Clock;
  private readonly prices: Prices;

  constructor(private readonly deps: BatchesDeps) {
    this.settings = deps.settings ?? defaultBatchSettings;
    this.clock = deps.clock ?? systemClock;
    this.prices = deps.prices ?? defaultPrices;
    deps.submission.onRetry(retriedBatchItem);
  }

  /**
   * Creates a batch and charges all its pictures, or charges nothing.
   * @throws AppError VALIDATION_FAILED, PREMIUM_REQUIRED, INSUFFICIENT_CREDITS, KEY_CAP_REACHED, RATE_LIMITED,
   *   IDEMPOTENCY_MISMATCH, BUDGET_EXHAUSTED, STORAGE_FULL
   */
  async create(
    userId: string,
    { tool, input: fields, items }: NewBatch,
    { idempotencyKey, apiKeyId }: BatchRequest = {},
  ): Promise<BatchWithItems> {
    const input = parseInput(tool, fields);
    requireStorable(input);
    const { id, charged } = await this.deps.dataSource.transaction((transaction) =>
      this.store(transaction, userId, { tool, input, items }, { idempotencyKey, apiKeyId }),
    );
    if (charged > 0) {
      creditsCharged.inc({ tool }, charged);
      void this.deps.accountEvents.accountChanged(userId);
    }
    void this.deps.batchEvents.batchChanged(id);
    return this.get(userId, id);
  }

  private async store(
    transaction: Transaction,
    userId: string,
    batch: Omit<NewBatch, 'input'> & { input: ToolInput<BatchTool> },
    { idempotencyKey, apiKeyId }: BatchRequest,
  ): Promise<{ id: string; charged: number }> {
    const { tool, input, items } = batch;
    const user = await lockUser(transaction, userId);
    const requestHash = hashRequest(tool, batch, []);
    if (idempotencyKey !== undefined) {
      const key = { userId, idempotencyKey, requestHash };
      const earlier = await findByIdempotencyKey(transaction, BatchEntity, HAS_ENDED, key);
      if (earlier) return { id: earlier.id, charged: 0 };
    }
    requirePlan(user, tools[tool]);
    await this.deps.budgets?.requireRoom(userId, tool, transaction);
    await requireFewOpen(transaction, userId);
    await requireRoomAhead(transaction, this.deps.storageQuota, user, sizeOf(batch));

    const id = randomUUID();
    const rows = items.map(({ id: clientId, name, size }, index) => ({
      batchId: id,
      n: index + 1,
      clientId,
      name: toPictureName(name),
      bytes: size,
      jobId: randomUUID(),
    }));
    const price = this.prices.tools[tool];
    const credits = user.plan === 'premium' ? 0 : price;
    const month = monthOf(new Date(this.clock.now()));
    const jobIds = rows.map(({ jobId }) => jobId);
    const use = apiKeyId === undefined ? null : { apiKeyId, month, jobs: rows.length };
    if (use) await requireApiKeyCaps(transaction, { ...use, credits: credits * rows.length });
    const monthlyCredits = this.prices.grants.free;
    const charge = { userId, month, amount: credits, jobIds, apiKeyId, monthlyCredits };
    if (credits > 0 && !(await chargeCreditsForJobs(transaction, charge)))
      throw insufficientCredits(month, credits * rows.length);
    await transaction.insert(BatchEntity, {
      id,
      userId,
      tool,
      input,
      zipKey: createKey(),
      credits,
      price,
      chargeMonth: credits > 0 ? month : null,
      idempotencyKey,
      requestHash,
    });
    await transaction.insert(BatchItemEntity, rows);
    if (use) await countApiKeyJobs(transaction, use);
    return { id, charged: credits * rows.length };
  }

  /** @throws AppError VALIDATION_FAILED if the cursor is invalid */
  async list(
    userId: string,
    { tool, cursor, limit }: BatchListQuery,
  ): Promise<{ batches: Batch[]; nextCursor: string | null }> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const found = await readBatches(
      this.deps.dataSource,
      `user_id = $1 AND ($2::text IS NULL OR tool = $2)
         AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $5::integer + 1`,
      [userId, tool ?? null, after?.time ?? null, after?.id ?? null, limit],
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      batches: page.map((row) => toBatch(row, this.settings)),
      nextCursor: found.length > limit && last ? encodeCursor(last.created_at, last.id) : null,
    };
  }

  /** @throws AppError NOT_FOUND */
  async get(userId: string, id: string): Promise<BatchWithItems> {
    const row = await this.find(userId, id);
    const items = await readBatchItems(this.deps.dataSource, id);
    const stored = items.flatMap(({ original_bytes: bytes }) => (bytes === null ? [] : [bytes]));
    return {
      ...toBatch(row, this.settings),
      items: items.map((item) => toBatchItem(item, this.settings.publicUrl)),
      originals: { count: stored.length, bytes: stored.reduce((sum, bytes) => sum + bytes, 0) },
    };
  }

  /** Deletes the originals of a batch, which frees their storage. The results stay. @throws AppError NOT_FOUND */
  async deleteOriginals(userId: string, id: string): Promise<BatchWithItems> {
    await this.change(userId, id, async (transaction) => {
      await markOriginalsForDeletion(transaction, { batchId: id });
      return 0;
    });
    this.publishChange(userId, id, 0);
    void this.deps.accountEvents.accountChanged(userId);
    return this.get(userId, id);
  }

  /**
   * Reads tool and input of a picture. `isSent` is true if the picture must not be uploaded again: it has a job, and if
   * that job failed or was cancelled, it can be retried.
   * @throws AppError NOT_FOUND, or JOB_CANCELLED if the picture was left out
   */
  async readItem(
    userId: string,
    id: string,
    n: number,
  ): Promise<{ tool: BatchTool; input: ToolInput<BatchTool>; name: string; isSent: boolean }> {
    const { tool, input: fields } = await this.find(userId, id, pictureNotFound);
    const input = parseInput(tool, fields);
    const row = await this.findItem(id, n);
    if (stateOf(row) === 'left-out' && row.id === null) throw pictureLeftOut();
    return { tool, input, name: row.name, isSent: row.id !== null && !row.sendable_again };
  }

  /** @throws AppError NOT_FOUND */
  async getItem(userId: string, id: string, n: number): Promise<BatchItem> {
    await this.find(userId, id, pictureNotFound);
    return toBatchItem(await this.findItem(id, n), this.settings.publicUrl);
  }

  /**
   * Leaves a picture out of the batch and cancels its job.
   * @throws AppError NOT_FOUND, or JOB_NOT_CANCELLABLE if the job has ended
   */
  async leaveOut(userId: string, id: string, n: number): Promise<BatchItem> {
    await this.find(userId, id, pictureNotFound);
    const refunded = await this.change(userId, id, (transaction, batch) =>
      leaveOutMissing(transaction, batch, n),
    );
    const row = await this.findItem(id, n);
    if (stateOf(row) === 'queued' || stateOf(row) === 'running')
      await this.deps.lifecycle.cancel(userId, row.id!).catch(ignoreEnded);
    await this.change(userId, id, async (transaction) => {
      const marked = await execute(
        transaction,
        `UPDATE batch_items SET left_out = true FROM jobs
         WHERE batch_items.batch_id = $1 AND n = $2 AND jobs.id = job_id AND status IN ('failed', 'cancelled')`,
        [id, n],
      );
      if (marked > 0 || row.left_out) return 0;
      throw new AppError(
        'JOB_NOT_CANCELLABLE',
        'This picture is done already. Delete its creation to leave it out.',
      );
    });
    this.publishChange(userId, id, refunded);
    return this.getItem(userId, id, n);
  }

  /**
   * Leaves out pictures that were not uploaded and cancels unfinished jobs. Creations stay. Does nothing if the batch
   * has ended.
   * @throws AppError NOT_FOUND
   */
  async cancel(userId: string, id: string): Promise<BatchWithItems> {
    const { dataSource, lifecycle } = this.deps;
    const row = await this.find(userId, id);
    if (!isOpen(row) && row.cancelled_at === null) return this.get(userId, id);
    const refunded = await this.change(userId, id, async (transaction, batch) => {
      await transaction.update(
        BatchEntity,
        { id },
        { cancelledAt: batch.cancelledAt ?? new Date(this.clock.now()) },
      );
      return leaveOutMissing(transaction, batch);
    });
    await lifecycle.cancelAllWaiting({ userId, batchId: id });
    const unfinished = await dataSource.getRepository(JobEntity).find({
      select: { id: true },
      where: { batchId: id, status: In(['queued', 'running']) },
    });
    for (const job of unfinished) await lifecycle.cancel(userId, job.id).catch(ignoreEnded);
    this.publishChange(userId, id, refunded);
    return this.get(userId, id);
  }

  /** ZIP entries of a batch, for its owner. @throws AppError NOT_FOUND, also if the batch has no results */
  async zipOf(userId: string, id: string): Promise<ZipDownload> {
    const batch = await this.deps.dataSource.getRepository(BatchEntity).findOneBy({ id, userId });
    if (!batch) throw batchNotFound();
    return this.toZip(batch);
  }

  /**
   * ZIP entries of a batch, for anybody with the secret key of its download link.
   * @throws AppError NOT_FOUND, or ACCOUNT_SUSPENDED
   */
  async zipOfKey(key: string): Promise<ZipDownload> {
    const batch = isKey(key)
      ? await this.deps.dataSource.getRepository(BatchEntity).findOneBy({ zipKey: key })
      : null;
    if (!batch) throw batchNotFound();
    await requireActive(this.deps.dataSource, batch.userId);
    return this.toZip(batch);
  }

  private async toZip({ id, userId, tool, createdAt }: BatchEntity): Promise<ZipDownload> {
    const pictures = await readResultFiles(this.deps.dataSource, id);
    // Two pictures of one name are numbered by their place in the batch, whichever have a result yet.
    const names = zipNames(pictures.map(({ name, type }) => ({ name, type: type ?? RESULT_TYPE })));
    const entries = pictures.flatMap(({ key, type, bytes }, index) =>
      key === null || type === null || bytes === null
        ? []
        : [{ name: names[index]!, key, type, bytes, modified: createdAt }],
    );
    if (entries.length === 0) throw new AppError('NOT_FOUND', 'This batch has no results to download.');
    return {
      userId,
      name: `${tool}-${createdAt.toISOString().slice(0, 10)}.zip`,
      entries,
    };
  }

  private async find(userId: string, id: string, notFound = batchNotFound): Promise<BatchRow> {
    const [row] = await readBatches(this.deps.dataSource, `id = $1 AND user_id = $2`, [id, userId]);
    if (!row) throw notFound();
    return row;
  }

  private async findItem(id: string, n: number): Promise<BatchItemRow> {
    const [row] = await readBatchItems(this.deps.dataSource, id, n);
    if (!row) throw pictureNotFound();
    return row;
  }

  /**
   * Changes a batch and raises its revision. Locks the user's row, as submissions do.
   * @returns the credits refunded by the change
   */
  private async change(
    userId: string,
    id: string,
    change: (transaction: Transaction, batch: BatchEntity) => Promise<number>,
  ): Promise<number> {
    const { tool, refunded } = await this.deps.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const batch = await transaction.findOneBy(BatchEntity, { id, userId });
      if (!batch) throw batchNotFound();
      const refunded = await change(transaction, batch);
      await transaction.increment(BatchEntity, { id }, 'revision', 1);
      return { tool: batch.tool, refunded };
    });
    creditsRefunded.inc({ tool }, refunded);
    return refunded;
  }

  private publishChange(userId: string, id: string, refunded: number): void {
    const { batchEvents, accountEvents } = this.deps;
    void batchEvents.batchChanged(id);
    if (refunded > 0) void accountEvents.accountChanged(userId);
  }
}

/** The media type of results that nobody edited. */
const RESULT_TYPE = 'image/png';

/** Bytes that the rows of a batch need, as `storage_use` counts them. */
const sizeOf = ({ input, items }: Pick<NewBatch, 'input' | 'items'>): number =>
  items.reduce(
    (sum, { id, name }) => sum + Buffer.byteLength(name) + Buffer.byteLength(id) + BATCH_ROW_BYTES,
    Buffer.byteLength(JSON.stringify(input)),
  );

/** @throws AppError VALIDATION_FAILED if the fields are no valid input of the tool for a picture without a mask */
function parseInput(tool: BatchTool, fields: Record<string, unknown>): ToolInput<BatchTool> {
  if ('creation' in fields)
    throw validationError([
      { path: ['input', 'creation'], message: 'Send the pictures of a batch as files.' },
    ]);
  const contract = contractOf(tool);
  const input = contract.input.safeParse(withoutPastedControls(fields));
  if (!input.success)
    throw validationError(
      input.error.issues.map(({ path, message }) => ({ path: ['input', ...path], message })),
    );
  const wrong = contract.check?.(input.data, new Set(['image']));
  if (wrong) throw validationError([{ path: ['input', wrong.field], message: wrong.message }]);
  return input.data;
}

const HAS_MISSING = `EXISTS (SELECT FROM batch_items WHERE batch_id = batches.id AND NOT sent AND NOT left_out)`;
const HAS_SENT = `EXISTS (SELECT FROM batch_items WHERE batch_id = batches.id AND sent)`;
const HAS_ENDED = `NOT ${HAS_MISSING}
  AND NOT EXISTS (SELECT FROM jobs WHERE batch_id = batches.id AND status IN ('queued', 'running'))`;

/** @throws AppError RATE_LIMITED if the user has too many batches with missing pictures */
async function requireFewOpen(transaction: Transaction, userId: string): Promise<void> {
  const open = await execute(transaction, `SELECT FROM batches WHERE user_id = $1 AND ${HAS_MISSING}`, [
    userId,
  ]);
  if (open < MAX_OPEN_BATCHES) return;
  throw new AppError(
    'RATE_LIMITED',
    `The pictures of ${MAX_OPEN_BATCHES} of your batches were not all sent. Send them, or cancel a batch.`,
    { retryAfterSeconds: 30 },
  );
}

/** Days to send the missing pictures: `$1`, or `$2` while none was sent. */
const IS_OVERDUE = `created_at < now() - make_interval(days => CASE WHEN ${HAS_SENT} THEN $1::integer ELSE $2::integer END)
  AND ${HAS_MISSING}`;

/** Leaves out and refunds pictures that were not uploaded in time, which is a day if none was. */
export async function closeOldBatches(
  database: DataSource,
  retentionDays: number,
  events?: BatchPublishers,
): Promise<void> {
  const days = [openDaysOf(retentionDays, true), openDaysOf(retentionDays, false)];
  const old = await queryEntities(database, BatchEntity, `SELECT * FROM batches WHERE ${IS_OVERDUE}`, days);
  for (const batch of old) {
    const refunded = await database.transaction(async (transaction) => {
      // The user is missing if the account was just deleted. The batch was deleted with the account.
      if (!(await lockUserIfPresent(transaction, batch.userId))) return null;
      // Its first picture may have arrived meanwhile.
      const isOverdue = `SELECT FROM batches WHERE id = $3 AND ${IS_OVERDUE}`;
      if ((await execute(transaction, isOverdue, [...days, batch.id])) === 0) return null;
      const amount = await leaveOutMissing(transaction, batch);
      await transaction.increment(BatchEntity, { id: batch.id }, 'revision', 1);
      return amount;
    });
    if (refunded === null) continue;
    creditsRefunded.inc({ tool: batch.tool }, refunded);
    void events?.batchEvents.batchChanged(batch.id);
    if (refunded > 0) void events?.accountEvents.accountChanged(batch.userId);
  }
}

/**
 * Deletes batches older than `days`, and those for which no picture was sent after a day. Their creations stay. Skips
 * batches with missing pictures, which must be closed and refunded first.
 */
export const deleteOldBatches = (database: Database, days: number) =>
  execute(
    database,
    `DELETE FROM batches WHERE created_at < now() - make_interval(days => least($1, 1)) AND NOT ${HAS_MISSING}
       AND (created_at < now() - make_interval(days => $1) OR NOT ${HAS_SENT})`,
    [days],
  );
