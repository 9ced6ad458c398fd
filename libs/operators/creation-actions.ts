import type { DataSource } from 'typeorm';
import type { CreationContents } from '#libs/contract/admin.js';
import type { CreationEvents } from '#libs/creations/creation-events.js';
import {
  approvePicture,
  dismissReports,
  hidePicture,
  restorePicture,
  revealCreation,
  type Decided,
  type Dismissed,
} from '#libs/creations/moderation.js';
import { takeDown } from '#libs/creations/takedown.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { AuditedActions, unlessChanged, type Act, type FindOwner } from './audited-actions.js';

const decisions = { approve: approvePicture, hide: hidePicture, restore: restorePicture };

/** What operators decide about creations. */
export class CreationActions extends AuditedActions {
  constructor(
    dataSource: DataSource,
    private readonly creationEvents: Pick<CreationEvents, 'creationsChanged'>,
  ) {
    super(dataSource);
  }

  /** @returns the creation's user, whether others could see it, and false as `changed` if it was taken down before */
  async takeDown(
    act: Act,
    creationId: string,
  ): Promise<{ userId: string; wasPublic: boolean; changed: boolean }> {
    const taken = await this.change(
      act,
      'creation.takedown',
      creationId,
      (transaction) => takeDown(transaction, creationId, act.reason ?? null),
      ({ changed, ...found }) => ({ ...found, ...unlessChanged(changed) }),
      this.ownerOf(creationId),
    );
    this.creationEvents.creationsChanged(taken.userId, [creationId]);
    return taken;
  }

  /** Decides about a picture: its publication, its open reports and an appeal. */
  async decide(act: Act, decision: keyof typeof decisions, creationId: string): Promise<Decided> {
    const decide = () =>
      this.dataSource.transaction((transaction) =>
        decisions[decision](transaction, { ...act, id: creationId }),
      );
    const action = `creation.${decision}` as const;
    const decided = await this.recordRefusal(act, action, creationId, decide, this.ownerOf(creationId));
    this.creationEvents.creationsChanged(decided.userId, [creationId]);
    return decided;
  }

  /** Shows what may be private to the creation's user. @throws AppError NOT_FOUND */
  async revealCreation(act: Act, creationId: string, publicUrl: string): Promise<CreationContents> {
    return this.recordRefusal(act, 'creation.reveal', creationId, () =>
      revealCreation(this.dataSource, { ...act, id: creationId, publicUrl }),
    );
  }

  async dismissReports(act: Act, creationId: string): Promise<Dismissed> {
    return this.recordRefusal(act, 'creation.dismiss-reports', creationId, () =>
      this.dataSource.transaction((transaction) => dismissReports(transaction, { ...act, id: creationId })),
    );
  }

  private ownerOf(id: string): FindOwner {
    return () =>
      this.dataSource.getRepository(CreationEntity).findOne({ select: { userId: true }, where: { id } });
  }
}
