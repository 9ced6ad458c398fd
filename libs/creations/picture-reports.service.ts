import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { lockUser } from '#libs/accounts/lock-user.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { creationNotFound } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { REPORTS_PER_DAY, reportReasons, type Report, type ReportReason } from '#libs/contract/moderation.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { CreationModerationEntity, CreationReportEntity } from '#libs/database/entities/moderation.js';
import { queryEntity, queryRow, queryRows, type Transaction } from '#libs/database/sql.js';
import { contentHashOf } from '#libs/publishing/content-hash.js';
import { CreationEvents } from './creation-events.js';
import { hide } from './moderation.js';

/** Reports of published pictures by users, and the answers of the pictures' owners. */
@Injectable()
export class PictureReports {
  private readonly reportsToHide: number;
  private readonly minAccountHours: number;
  private readonly confirmsMail: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly creationEvents: CreationEvents,
    @Inject(CONFIG)
    {
      reportsToHide,
      reportsMinAccountHours,
      accounts,
      mail,
    }: Pick<Config, 'reportsToHide' | 'reportsMinAccountHours' | 'accounts' | 'mail'>,
  ) {
    this.reportsToHide = reportsToHide;
    this.minAccountHours = reportsMinAccountHours;
    this.confirmsMail = accounts.kind === 'local' && mail !== null;
  }

  /**
   * Reports a published picture, which this user no longer sees. Reporting it again succeeds and changes nothing while the
   * first report is open. With enough reports the picture is hidden.
   * @throws AppError NOT_FOUND if it is not published, FORBIDDEN for the user's own picture and for a picture that an
   *   operator allowed after the user's report, RATE_LIMITED beyond the daily cap
   */
  async report(userId: string, id: string, report: Report): Promise<void> {
    const hiddenFrom = await this.dataSource.transaction(async (transaction) => {
      // Serialises the user's reports, so that they cannot pass the cap together.
      const { createdAt } = await lockUser(transaction, userId);
      const known = { creationId: id, userId };
      const earlier = await transaction.findOneBy(CreationReportEntity, known);
      if (earlier && earlier.closedAt === null) return undefined;
      const creation = await queryEntity(
        transaction,
        CreationEntity,
        `SELECT * FROM creations WHERE id = $1 AND published AND deleted_at IS NULL AND type = 'image'
         FOR NO KEY UPDATE`,
        [id],
      );
      if (!creation) throw creationNotFound();
      if (creation.userId === userId)
        throw new AppError('FORBIDDEN', 'This is your own picture. You can unpublish it.');
      if (earlier) await requireNotAllowed(transaction, creation);
      await requireWithinDailyCap(transaction, userId);
      const counts = this.isOldEnough(createdAt) && (await this.isConfirmed(transaction, userId));
      await transaction.upsert(
        CreationReportEntity,
        { ...known, ...report, counts, createdAt: () => 'now()', closedAt: null },
        ['creationId', 'userId'],
      );
      return counts && (await this.hideIfReportedEnough(transaction, creation)) ? creation.userId : undefined;
    });
    if (hiddenFrom !== undefined) this.creationEvents.creationsChanged(hiddenFrom, [id]);
  }

  /**
   * Stores the owner's answer to a decision, once.
   * @throws AppError NOT_FOUND, or FORBIDDEN if there is nothing to answer or it was answered
   */
  async appeal(userId: string, id: string, text: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const creation = await transaction.findOne(CreationEntity, {
        where: { id, userId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!creation || creation.deletedAt) throw creationNotFound();
      const known = await transaction.findOneBy(CreationModerationEntity, { creationId: id });
      if (known?.state !== 'hidden' && known?.state !== 'refused')
        throw new AppError('FORBIDDEN', 'There is no decision about this creation to answer.');
      if (known.appealedAt) throw new AppError('FORBIDDEN', 'You answered this decision already.');
      await transaction.update(
        CreationModerationEntity,
        { creationId: id },
        { appeal: text, appealedAt: new Date() },
      );
    });
    this.creationEvents.creationsChanged(userId, [id]);
  }

  private async hideIfReportedEnough(transaction: Transaction, creation: CreationEntity): Promise<boolean> {
    if (this.reportsToHide === 0) return false;
    const reasons = await queryRows(
      transaction,
      z.object({ reason: z.string(), count: z.number() }),
      `SELECT reason, count(*)::integer AS count FROM creation_reports
       WHERE creation_id = $1 AND closed_at IS NULL AND counts GROUP BY reason ORDER BY count DESC, reason`,
      [creation.id],
    );
    if (reasons.reduce((sum, { count }) => sum + count, 0) < this.reportsToHide) return false;
    const reason = reportReasons[reasons[0]?.reason as ReportReason] ?? null;
    await hide(transaction, creation, { cause: 'reports', reason });
    return true;
  }

  private isOldEnough(createdAt: Date): boolean {
    return Date.now() - createdAt.getTime() >= this.minAccountHours * 3_600_000;
  }

  /** Local accounts confirm their address where mail is sent. Clerk confirms those of its accounts. */
  private async isConfirmed(transaction: Transaction, userId: string): Promise<boolean> {
    if (!this.confirmsMail) return true;
    const found = await queryRow(
      transaction,
      z.object({ confirmed: z.boolean() }),
      `SELECT "emailVerified" AS confirmed FROM auth_users WHERE id = $1`,
      [userId],
    );
    return found?.confirmed ?? false;
  }
}

/** @throws AppError FORBIDDEN if an operator allowed exactly this picture, caption and name */
async function requireNotAllowed(transaction: Transaction, creation: CreationEntity): Promise<void> {
  const isAllowed = await transaction.existsBy(CreationModerationEntity, {
    ...{ creationId: creation.id, state: 'approved', cause: 'operator' },
    contentHash: contentHashOf(creation),
  });
  if (isAllowed)
    throw new AppError(
      'FORBIDDEN',
      'Whoever runs this server looked at this picture after your report, and it may stay public.',
    );
}

/** @throws AppError RATE_LIMITED */
async function requireWithinDailyCap(transaction: Transaction, userId: string): Promise<void> {
  const oldest = await queryRow(
    transaction,
    z.object({ seconds: z.number() }),
    `SELECT ceil(extract(epoch FROM created_at + interval '24 hours' - now()))::integer AS seconds
     FROM creation_reports WHERE user_id = $1 AND created_at > now() - interval '24 hours'
     ORDER BY created_at DESC OFFSET ${REPORTS_PER_DAY - 1} LIMIT 1`,
    [userId],
  );
  if (!oldest) return;
  throw new AppError(
    'RATE_LIMITED',
    `You reported ${REPORTS_PER_DAY} pictures within a day. Tell whoever runs this server about more.`,
    { retryAfterSeconds: Math.max(1, oldest.seconds) },
  );
}
