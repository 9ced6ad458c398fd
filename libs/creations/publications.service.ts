import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { creationNotFound, type Creation, type Publication } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { moderationReason, publishingIsOff } from '#libs/contract/moderation.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { CreationModerationEntity } from '#libs/database/entities/moderation.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Transaction } from '#libs/database/sql.js';
import { contentHashOf, shownText, type PublishedWords } from '#libs/publishing/content-hash.js';
import { PublicationCheck, type Verdict } from '#libs/publishing/publication-check.js';
import { CreationEvents } from './creation-events.js';
import { Creations } from './creations.service.js';
import { requireNotTakenDown } from './takedown.js';
import { isImage } from './version-rows.js';

/** What the user chose to be shown. */
type ChosenWords = Omit<PublishedWords, 'publishedName'>;

/** Publishes images of users in the community. */
@Injectable()
export class Publications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creations: Creations,
    private readonly creationEvents: CreationEvents,
    private readonly check: PublicationCheck,
  ) {}

  /**
   * Publishes an image, or lets it wait for an operator.
   * @throws AppError NOT_FOUND; FORBIDDEN if the creation is not an image, publishing is off, an operator hid the image, or
   *   the check refuses it; VERSION_CONFLICT if the image was changed or unpublished during the check
   */
  async publish(userId: string, id: string, { caption, author }: Publication): Promise<Creation> {
    if (this.check.mode === 'off') throw publishingIsOff();
    const words = { publishedCaption: caption ?? null, publishedAuthor: author ?? null };
    const verdict = await this.decide(userId, id, words);
    if (verdict.state === 'refused')
      throw new AppError(
        'FORBIDDEN',
        `It was not published. ${moderationReason('check', null)} You can change it, or answer on its page.`,
      );
    return this.creations.one(userId, id);
  }

  /** Unpublishes an image. Succeeds if it is not published. @throws AppError NOT_FOUND */
  async withdraw(userId: string, id: string): Promise<Creation> {
    await this.dataSource.transaction(async (transaction) => {
      await lockOwn(transaction, userId, id);
      await transaction.update(
        CreationEntity,
        { id },
        {
          ...{ published: false, publishedCaption: null, publishedAuthor: null, publishedName: null },
          withdrawals: () => 'withdrawals + 1',
        },
      );
      await transaction.delete(CreationModerationEntity, { creationId: id, state: 'waiting' });
      await transaction.update(CreationModerationEntity, { creationId: id }, { isWanted: false });
    });
    this.creationEvents.creationsChanged(userId, [id]);
    return this.creations.one(userId, id);
  }

  /** Decides again about an image that was withdrawn because it was changed. Does nothing about others. */
  async recheck(userId: string, id: string): Promise<void> {
    if (!this.check.isNeeded) return;
    const creation = await this.dataSource.transaction(async (transaction) => {
      const found = await lockOwn(transaction, userId, id);
      const known = await transaction.findOneBy(CreationModerationEntity, { creationId: id });
      return known?.state === 'waiting' && known.contentHash !== contentHashOf(found) ? found : null;
    });
    // The change withdrew the picture, so it waits for an operator if it cannot be decided now.
    if (creation) await this.decide(userId, id, creation, true).catch(() => undefined);
  }

  /** @param isRecheck whether the picture must still be wanted */
  private async decide(
    userId: string,
    id: string,
    { publishedCaption, publishedAuthor }: ChosenWords,
    isRecheck = false,
  ): Promise<Verdict> {
    const { proposal, publishedWords, known, plan } = await this.dataSource.transaction(
      async (transaction) => {
        const creation = await lockPublishable(transaction, userId, id);
        if (isRecheck && !(await isWantedPublic(transaction, creation))) throw withdrawn();
        const user = await transaction.findOneByOrFail(UserEntity, { id: userId });
        const publishedWords = {
          publishedCaption,
          publishedAuthor,
          publishedName: publishedAuthor === null ? user.name : null,
        };
        const proposal = { ...creation, ...publishedWords };
        return {
          ...{ proposal, publishedWords, plan: user.plan },
          known: await this.knownVerdict(transaction, proposal),
        };
      },
    );
    if (known?.state === 'refused') return known;
    const contentHash = contentHashOf(proposal);
    const verdict =
      known ??
      (await this.check.check(
        { text: shownText(proposal), content: proposal.content },
        { jobId: null, attempt: null, userId, apiKeyId: null, plan },
      ));
    await this.dataSource.transaction(async (transaction) => {
      const creation = await lockPublishable(transaction, userId, id);
      if (contentHashOf({ ...creation, ...publishedWords }) !== contentHash)
        throw new AppError('VERSION_CONFLICT', 'The picture was changed meanwhile. Publish it again.');
      if (creation.withdrawals !== proposal.withdrawals) throw withdrawn();
      await transaction.update(
        CreationEntity,
        { id },
        { ...publishedWords, published: verdict.state === 'approved' },
      );
      await store(transaction, id, contentHash, verdict, known !== undefined);
    });
    this.creationEvents.creationsChanged(userId, [id]);
    return verdict;
  }

  /** What was decided about exactly this picture and these words before. */
  private async knownVerdict(
    transaction: Transaction,
    creation: CreationEntity,
  ): Promise<Verdict | undefined> {
    const known = await transaction.findOneBy(CreationModerationEntity, { creationId: creation.id });
    // Before migration 66, the hash had no name of the account.
    const isEarlierHash = known?.contentHash === contentHashOf({ ...creation, publishedName: null });
    const isSame = known?.contentHash === contentHashOf(creation);
    if (known?.state === 'refused' && (isSame || isEarlierHash)) return { state: 'refused', cause: 'check' };
    if (!known || !isSame) return undefined;
    const isValid = known.cause === 'operator' || this.check.mode === 'open';
    return known.state === 'approved' && isValid ? { state: 'approved', isChecked: true } : undefined;
  }
}

const withdrawn = () => new AppError('VERSION_CONFLICT', 'The picture was unpublished meanwhile.');

/** Whether a creation is public, or waits and its owner did not withdraw it. The creation must be locked. */
async function isWantedPublic(transaction: Transaction, { id, published }: CreationEntity): Promise<boolean> {
  return (
    published ||
    (await transaction.existsBy(CreationModerationEntity, {
      creationId: id,
      state: 'waiting',
      isWanted: true,
    }))
  );
}

async function store(
  transaction: Transaction,
  creationId: string,
  contentHash: string,
  verdict: Verdict,
  isKnown: boolean,
): Promise<void> {
  if (isKnown) {
    await transaction.update(CreationModerationEntity, { creationId }, { isWanted: true });
  } else if (verdict.state === 'off' || (verdict.state === 'approved' && !verdict.isChecked)) {
    await transaction.delete(CreationModerationEntity, { creationId });
  } else {
    const cause = verdict.state === 'approved' ? 'check' : verdict.cause;
    await transaction.upsert(
      CreationModerationEntity,
      {
        ...{ creationId, contentHash, state: verdict.state, cause, reason: null, isWanted: true },
        ...{ appeal: null, appealedAt: null, answeredAt: null, isNoticeDue: false, changedAt: new Date() },
      },
      ['creationId'],
    );
  }
}

/** @throws AppError NOT_FOUND */
async function lockOwn(transaction: Transaction, userId: string, id: string): Promise<CreationEntity> {
  const creation = await transaction.findOne(CreationEntity, {
    where: { id, userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!creation || creation.deletedAt) throw creationNotFound();
  return creation;
}

/** @throws AppError NOT_FOUND, or FORBIDDEN */
async function lockPublishable(
  transaction: Transaction,
  userId: string,
  id: string,
): Promise<CreationEntity> {
  const creation = await lockOwn(transaction, userId, id);
  await requireNotTakenDown(transaction, id);
  const known = await transaction.findOneBy(CreationModerationEntity, { creationId: id });
  if (known?.state === 'hidden')
    throw new AppError('FORBIDDEN', `It is hidden. ${moderationReason(known.cause, known.reason)}`);
  if (!isImage(creation)) throw new AppError('FORBIDDEN', 'Only images can be published.');
  return creation;
}
