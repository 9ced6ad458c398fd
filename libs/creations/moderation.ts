import { z } from 'zod';
import { reportedPictureSchema, type ReportedPicture } from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import { type ModerationCause } from '#libs/contract/moderation.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { CreationModerationEntity } from '#libs/database/entities/moderation.js';
import { execute, isoTime, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
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

/** The creation's user, and whether the creation is public now. */
export interface Decided {
  userId: string;
  isPublished: boolean;
}

const REPORTS_LISTED = 20;

const rowSchema = reportedPictureSchema.extend({
  reports: z.array(
    reportedPictureSchema.shape.reports.element.extend({
      at: z.coerce.date().transform((date) => date.toISOString()),
    }),
  ),
  since: isoTime,
});

/** Pictures that an operator must decide about: with open reports or an open appeal, or waiting. The oldest first. */
export async function listReportedPictures(
  database: Database,
  { publicUrl, limit }: { publicUrl: string; limit: number },
): Promise<ReportedPicture[]> {
  const found = await queryRows(
    database,
    rowSchema,
    `WITH open AS (
       SELECT creation_id, created_at AS since FROM creation_reports WHERE closed_at IS NULL
       UNION ALL SELECT creation_id, changed_at FROM creation_moderations WHERE state = 'waiting'
       UNION ALL SELECT creation_id, appealed_at FROM creation_moderations
         WHERE appealed_at IS NOT NULL AND answered_at IS NULL
     ), listed AS (
       SELECT creation_id, min(since) AS since FROM open JOIN creations ON creations.id = creation_id
       WHERE deleted_at IS NULL GROUP BY creation_id ORDER BY 2, 1 LIMIT $1
     )
     SELECT creations.id, creations.user_id AS "userId", published, coalesce(published_caption, prompt) AS caption,
       content AS image,
       (SELECT key FROM objects WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL) AS thumbnail,
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
     ORDER BY since, creations.id`,
    [limit],
  );
  return found.map(({ image, thumbnail, ...picture }) => ({
    ...picture,
    image: toUrl(image, publicUrl),
    thumbnail: thumbnail && toUrl(pathOf(thumbnail), publicUrl),
  }));
}

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
    details: { isPublished },
  });
  return { userId: creation.userId, isPublished };
}

/**
 * Ends the publication of a picture until an operator restores it, and decides open reports and an appeal.
 * @throws AppError NOT_FOUND, or FORBIDDEN for a text
 */
export async function hidePicture(transaction: Transaction, decision: Decision): Promise<Decided> {
  const { operator, id, reason = null } = decision;
  const creation = await lockCreation(transaction, id);
  if (creation.type !== 'image')
    throw new AppError('FORBIDDEN', 'Only pictures can be hidden. Take a text down instead.');
  await hide(transaction, creation, { cause: 'operator', reason });
  await closeReports(transaction, id);
  await addAuditEntry(transaction, {
    ...{ operator, action: 'creation.hide', target: id, reason },
    details: { wasPublished: creation.published },
  });
  return { userId: creation.userId, isPublished: false };
}

/**
 * Shows a hidden picture again, if its owner still wants it and did not change it, and lets a creation that was taken
 * down be published and shared again, which does not publish it. @throws AppError NOT_FOUND
 */
export async function restorePicture(transaction: Transaction, decision: Decision): Promise<Decided> {
  const { operator, id, reason } = decision;
  const creation = await lockCreation(transaction, id);
  const known = await transaction.findOneBy(CreationModerationEntity, { creationId: id });
  await transaction.update(CreationEntity, { id }, { takenDownAt: null, takenDownReason: null });
  const isPublished =
    known?.state === 'hidden' ? await allow(transaction, creation, known) : creation.published;
  await addAuditEntry(transaction, {
    ...{ operator, action: 'creation.restore', target: id, reason },
    details: { isPublished },
  });
  return { userId: creation.userId, isPublished };
}

/** Closes the open reports of a picture, which stays as it is. @throws AppError NOT_FOUND */
export async function dismissReports(
  transaction: Transaction,
  { operator, id, reason }: Decision,
): Promise<{ userId: string; dismissed: number }> {
  const { userId } = await lockCreation(transaction, id);
  const dismissed = await closeReports(transaction, id);
  await addAuditEntry(transaction, {
    ...{ operator, action: 'creation.dismiss-reports', target: id, reason },
    details: { dismissed },
  });
  return { userId, dismissed };
}

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
  await transaction.update(
    CreationModerationEntity,
    { creationId },
    {
      ...{ state: 'approved', cause: 'operator', reason: null },
      answeredAt: known.appealedAt && new Date(),
      ...{ isNoticeDue: true, noticeAfter: null, changedAt: new Date() },
    },
  );
  await transaction.update(CreationEntity, { id: creationId }, { published });
  await closeReports(transaction, creationId);
  return published;
}

const closeReports = (transaction: Transaction, id: string): Promise<number> =>
  execute(
    transaction,
    `UPDATE creation_reports SET closed_at = now() WHERE creation_id = $1 AND closed_at IS NULL`,
    [id],
  );

/** @throws AppError NOT_FOUND */
export async function lockCreation(transaction: Transaction, id: string): Promise<CreationEntity> {
  const creation = await transaction.findOne(CreationEntity, {
    where: { id },
    lock: { mode: 'for_no_key_update' },
  });
  if (!creation) throw new AppError('NOT_FOUND', `There is no creation with the id "${id}".`);
  return creation;
}
