import { z } from 'zod';
import {
  creationContentsSchema,
  moderatedCreationSchema,
  type CreationContents,
  type ModeratedCreation,
  type ModerationQuery,
} from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import { type ModerationCause } from '#libs/contract/moderation.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { CreationModerationEntity } from '#libs/database/entities/moderation.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import {
  execute,
  isoTime,
  queryRow,
  queryRows,
  type Database,
  type Transaction,
} from '#libs/database/sql.js';
import { addAuditEntry, type OperatorIdentity } from '#libs/audit/audit-log.js';
import { contentHashOf } from '#libs/publishing/content-hash.js';
import { pathOf, toUrl } from '#libs/storage/object-key.js';

/** A decision of an operator about one creation. */
export interface Decision {
  operator: OperatorIdentity;
  id: string;
  /** The owner of the creation reads it too if the decision is against it. */
  reason?: string | null;
}

/** The creation's user, whether the creation is public now, and whether the decision changed anything. */
export interface Decided {
  userId: string;
  isPublished: boolean;
  changed: boolean;
}

const REPORTS_LISTED = 20;

const rowSchema = moderatedCreationSchema.extend({
  reports: z.array(
    moderatedCreationSchema.shape.reports.element.extend({
      at: z.coerce.date().transform((date) => date.toISOString()),
    }),
  ),
  since: isoTime,
});

/** SQL of the creations of each list with the time that orders them. */
const lists: Record<ModerationQuery['show'], string> = {
  open: `SELECT creation_id, min(since) AS since FROM (
      SELECT creation_id, created_at AS since FROM creation_reports WHERE closed_at IS NULL
      UNION ALL SELECT creation_id, changed_at FROM creation_moderations WHERE state = 'waiting'
      UNION ALL SELECT creation_id, appealed_at FROM creation_moderations
        WHERE appealed_at IS NOT NULL AND answered_at IS NULL) AS undecided GROUP BY creation_id`,
  hidden: `SELECT creation_id, changed_at AS since FROM creation_moderations WHERE state IN ('hidden', 'refused')`,
  published: `SELECT id AS creation_id, created_at AS since FROM creations
      WHERE published AND deleted_at IS NULL AND type = 'image'`,
};
const ONE = `SELECT id AS creation_id, created_at AS since FROM creations WHERE id = $4`;

const CAPTION = `coalesce(published_caption, prompt)`;
const THUMBNAIL = `(SELECT key FROM objects WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL)`;

/**
 * Creations that operators may decide about. Contents that are not public are left out.
 * @throws AppError VALIDATION_FAILED if the cursor is invalid
 */
export async function listModeratedCreations(
  database: Database,
  { publicUrl, show, id, cursor, limit }: ModerationQuery & { publicUrl: string },
): Promise<{ creations: ModeratedCreation[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const [direction, compare] = show === 'open' ? ['ASC', '>'] : ['DESC', '<'];
  const rows = await queryRows(
    database,
    rowSchema,
    `WITH listed AS (
       SELECT creation_id, since FROM (${id === undefined ? lists[show] : ONE}) AS list
       JOIN creations ON creations.id = creation_id
       WHERE deleted_at IS NULL AND ($4::uuid IS NULL OR creation_id = $4)
         AND ($2::timestamptz IS NULL OR (since, creation_id) ${compare} ($2, $3::uuid))
       ORDER BY since ${direction}, creation_id ${direction} LIMIT $1::integer + 1
     )
     SELECT creations.id, creations.user_id AS "userId", type, published, taken_down_at IS NOT NULL AS "isTakenDown",
       CASE WHEN published THEN jsonb_build_object(
         'caption', ${CAPTION}, 'image', content, 'thumbnail', ${THUMBNAIL}) END AS contents,
       state, cause, moderation.reason, appeal, appealed_at IS NOT NULL AND answered_at IS NULL AS "isAppealOpen",
       (SELECT count(*)::integer FROM creation_reports
         WHERE creation_id = creations.id AND closed_at IS NULL) AS "openReports",
       (SELECT count(*)::integer FROM creation_reports
         WHERE creation_id = creations.id AND closed_at IS NULL AND counts) AS "countedReports",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('reason', newest.reason, 'words', words, 'counts', counts,
           'userId', newest.user_id, 'at', newest.created_at)), '[]')
         FROM (SELECT * FROM creation_reports WHERE creation_id = creations.id AND closed_at IS NULL
           ORDER BY created_at DESC LIMIT ${REPORTS_LISTED}) AS newest) AS reports,
       since
     FROM listed JOIN creations ON creations.id = listed.creation_id
     LEFT JOIN creation_moderations moderation ON moderation.creation_id = creations.id
     ORDER BY since ${direction}, creations.id ${direction}`,
    [limit, after?.time ?? null, after?.id ?? null, id ?? null],
  );
  const creations = rows.slice(0, limit).map(({ contents, ...creation }) => ({
    ...creation,
    contents: contents && withUrls(contents, publicUrl),
  }));
  const last = creations.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(new Date(last.since), last.id) : null;
  return { creations, nextCursor };
}

/** @throws AppError NOT_FOUND */
export async function revealCreation(
  database: Database,
  { operator, id, reason, publicUrl }: Decision & { publicUrl: string },
): Promise<CreationContents> {
  const found = await queryRow(
    database,
    creationContentsSchema.extend({ userId: z.string() }),
    `SELECT user_id AS "userId", ${CAPTION} AS caption, CASE type WHEN 'image' THEN content END AS image,
       ${THUMBNAIL} AS thumbnail, CASE WHEN type <> 'image' THEN content END AS text
     FROM creations WHERE id = $1`,
    [id],
  );
  if (!found) throw creationNotFound(id);
  const { userId, ...contents } = found;
  await addAuditEntry(database, {
    ...{ operator, action: 'creation.reveal', target: id, reason },
    details: { userId },
  });
  return withUrls(contents, publicUrl);
}

const withUrls = <Contents extends Pick<CreationContents, 'image' | 'thumbnail'>>(
  contents: Contents,
  publicUrl: string,
): Contents => ({
  ...contents,
  image: contents.image && toUrl(contents.image, publicUrl),
  thumbnail: contents.thumbnail && toUrl(pathOf(contents.thumbnail), publicUrl),
});

/**
 * Publishes a picture that waits or was refused, if its owner still wants it. @throws AppError NOT_FOUND, or FORBIDDEN if
 * nothing is to be approved
 */
export async function approvePicture(transaction: Transaction, decision: Decision): Promise<Decided> {
  const creation = await lockCreation(transaction, decision.id);
  const known = await transaction.findOneBy(CreationModerationEntity, { creationId: decision.id });
  if (known?.state !== 'waiting' && known?.state !== 'refused')
    throw new AppError(
      'FORBIDDEN',
      known?.state === 'hidden' || creation.takenDownAt
        ? 'It is hidden: restore it instead.'
        : 'It does not wait for an approval.',
    );
  const isPublished = await allow(transaction, creation, known);
  await addAuditEntry(transaction, {
    ...{
      operator: decision.operator,
      action: 'creation.approve',
      target: decision.id,
      reason: decision.reason,
    },
    details: { userId: creation.userId, isPublished },
  });
  return { userId: creation.userId, isPublished, changed: true };
}

/**
 * Ends the publication of a picture until an operator restores it, and decides open reports and an appeal. If an operator
 * hid it before, the first reason stays, and an appeal against it stays open.
 * @throws AppError NOT_FOUND, or FORBIDDEN for a text
 */
export async function hidePicture(transaction: Transaction, decision: Decision): Promise<Decided> {
  const { operator, id, reason = null } = decision;
  const creation = await lockCreation(transaction, id);
  if (creation.type !== 'image')
    throw new AppError('FORBIDDEN', 'Only pictures can be hidden. Take a text down instead.');
  const isHidden = { creationId: id, state: 'hidden', cause: 'operator' } as const;
  const changed = !(await transaction.existsBy(CreationModerationEntity, isHidden));
  if (changed) {
    await hide(transaction, creation, { cause: 'operator', reason });
    await closeReports(transaction, id);
  }
  await addAuditEntry(transaction, {
    ...{ operator, action: 'creation.hide', target: id, reason },
    details: { userId: creation.userId, wasPublished: creation.published, ...unlessChanged(changed) },
  });
  return { userId: creation.userId, isPublished: false, changed };
}

/**
 * Shows a hidden picture again, if its owner still wants it and did not change it, and lets a creation that was taken
 * down be published and shared again, which does not publish it. @throws AppError NOT_FOUND
 */
export async function restorePicture(transaction: Transaction, decision: Decision): Promise<Decided> {
  const { operator, id, reason } = decision;
  const creation = await lockCreation(transaction, id);
  const known = await transaction.findOneBy(CreationModerationEntity, { creationId: id });
  const changed = known?.state === 'hidden' || creation.takenDownAt !== null;
  await transaction.update(CreationEntity, { id }, { takenDownAt: null, takenDownReason: null });
  const isPublished =
    known?.state === 'hidden' ? await allow(transaction, creation, known) : creation.published;
  await addAuditEntry(transaction, {
    ...{ operator, action: 'creation.restore', target: id, reason },
    details: { userId: creation.userId, isPublished, ...unlessChanged(changed) },
  });
  return { userId: creation.userId, isPublished, changed };
}

/** What a dismissal closed. */
export interface Dismissed {
  reports: number;
  appeal: boolean;
}

/**
 * Closes the open reports of a picture and an open appeal. The picture stays as it is, and while it is public and unchanged,
 * the same users cannot report it again. @throws AppError NOT_FOUND
 */
export async function dismissReports(
  transaction: Transaction,
  { operator, id, reason }: Decision,
): Promise<Dismissed> {
  const creation = await lockCreation(transaction, id);
  const [reports, appeal] = [await closeReports(transaction, id), await answerAppeal(transaction, id)];
  if (reports > 0 && creation.published) {
    const contentHash = contentHashOf(creation);
    await transaction.upsert(
      CreationModerationEntity,
      {
        ...{ creationId: id, contentHash, state: 'approved', cause: 'operator' },
        reason: null,
        isWanted: true,
      },
      ['creationId'],
    );
  }
  await addAuditEntry(transaction, {
    ...{ operator, action: 'creation.dismiss-reports', target: id, reason },
    details: {
      userId: creation.userId,
      dismissed: reports,
      ...(appeal && { appeal }),
      ...unlessChanged(reports > 0 || appeal),
    },
  });
  return { reports, appeal };
}

/** Details of an act: `changed: false` if everything was already as the operator wanted. */
const unlessChanged = (changed: boolean) => (changed ? {} : { changed });

/** Ends a publication. Callers must have locked the creation. */
export async function hide(
  transaction: Transaction,
  creation: CreationEntity,
  { cause, reason }: { cause: ModerationCause; reason: string | null },
): Promise<void> {
  const { id: creationId } = creation;
  const known = await transaction.findOneBy(CreationModerationEntity, { creationId });
  // A second decision about the same publication answers the appeal. A new publication has a new one.
  const isUpheld = known?.state === 'hidden' || known?.state === 'refused';
  const { appeal, appealedAt } = isUpheld ? known : { appeal: null, appealedAt: null };
  await transaction.upsert(
    CreationModerationEntity,
    {
      ...{ creationId, state: 'hidden', cause, reason, appeal, appealedAt },
      answeredAt: appealedAt && new Date(),
      isWanted: creation.published || (known !== null && known.state !== 'approved' && known.isWanted),
      contentHash: contentHashOf(creation),
      ...{ isNoticeDue: true, noticeAfter: null, changedAt: new Date() },
    },
    ['creationId'],
  );
  await transaction.update(CreationEntity, { id: creationId }, { published: false });
}

/** Withdraws a published picture that was changed, until it is checked. Callers must have locked the creation. */
export async function withdrawChanged(transaction: Transaction, id: string): Promise<void> {
  await execute(
    transaction,
    `WITH withdrawn AS (UPDATE creations SET published = false WHERE id = $1 AND published RETURNING id)
     INSERT INTO creation_moderations (creation_id, state, cause, is_wanted, content_hash)
     SELECT id, 'waiting', 'changed', true, '' FROM withdrawn
     ON CONFLICT (creation_id) DO UPDATE SET state = 'waiting', cause = 'changed', reason = NULL, is_wanted = true,
       content_hash = '', appeal = NULL, appealed_at = NULL, answered_at = NULL, is_notice_due = false, changed_at = now()`,
    [id],
  );
}

/** Allows what was decided about before. @returns whether it is public now */
async function allow(
  transaction: Transaction,
  creation: CreationEntity,
  known: CreationModerationEntity,
): Promise<boolean> {
  const { id: creationId } = creation;
  const published =
    known.isWanted && creation.deletedAt === null && known.contentHash === contentHashOf(creation);
  let { publishedName } = creation;
  if (published && creation.publishedAuthor === null)
    publishedName ??= (await transaction.findOneByOrFail(UserEntity, { id: creation.userId })).name;
  await transaction.update(
    CreationModerationEntity,
    { creationId },
    {
      ...{ state: 'approved', cause: 'operator', reason: null },
      answeredAt: known.appealedAt && new Date(),
      ...{ isNoticeDue: true, noticeAfter: null, changedAt: new Date() },
      ...(published && { contentHash: contentHashOf({ ...creation, publishedName }) }),
    },
  );
  await transaction.update(CreationEntity, { id: creationId }, { published, publishedName });
  await closeReports(transaction, creationId);
  return published;
}

/** Closes the open reports of a creation. @returns their number */
export const closeReports = (transaction: Transaction, id: string): Promise<number> =>
  execute(
    transaction,
    `UPDATE creation_reports SET closed_at = now() WHERE creation_id = $1 AND closed_at IS NULL`,
    [id],
  );

/** Answers an open appeal: the decision stays. @returns whether there was one */
const answerAppeal = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await execute(
    transaction,
    `UPDATE creation_moderations
     SET answered_at = now(), is_notice_due = true, notice_after = NULL, changed_at = now()
     WHERE creation_id = $1 AND appealed_at IS NOT NULL AND answered_at IS NULL`,
    [id],
  )) > 0;

/** @throws AppError NOT_FOUND */
export async function lockCreation(transaction: Transaction, id: string): Promise<CreationEntity> {
  const creation = await transaction.findOne(CreationEntity, {
    where: { id },
    lock: { mode: 'for_no_key_update' },
  });
  if (!creation) throw creationNotFound(id);
  return creation;
}

const creationNotFound = (id: string) =>
  new AppError('NOT_FOUND', `There is no creation with the id "${id}".`);
