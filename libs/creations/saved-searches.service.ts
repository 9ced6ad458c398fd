import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MAX_SAVED_SEARCHES, type SavedFilter, type SavedSearch } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { SavedSearchEntity } from '#libs/database/entities/creations.js';
import { CreationEvents } from './creation-events.js';
import { lockUser } from '#libs/accounts/lock-user.js';

/** Saved searches, shown as folders. Searches of other users throw NOT_FOUND. */
@Injectable()
export class SavedSearches {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creationEvents: CreationEvents,
  ) {}

  async list(userId: string): Promise<SavedSearch[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const searches = await this.dataSource
      .getRepository(SavedSearchEntity)
      .find({ where: { userId }, order });
    return searches.map(show);
  }

  /** @throws AppError VALIDATION_FAILED if the user has too many saved searches */
  async create(
    userId: string,
    { name, filter }: { name: string; filter: SavedFilter },
  ): Promise<SavedSearch> {
    const search = { id: randomUUID(), userId, name, filter, createdAt: new Date() };
    await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if ((await transaction.countBy(SavedSearchEntity, { userId })) >= MAX_SAVED_SEARCHES) throw tooMany();
      await transaction.insert(SavedSearchEntity, search);
    });
    this.creationEvents.searchesChanged(userId);
    return show(search);
  }

  /** @throws AppError NOT_FOUND */
  async rename(userId: string, id: string, name: string): Promise<SavedSearch> {
    const searches = this.dataSource.getRepository(SavedSearchEntity);
    await searches.update({ id, userId }, { name });
    const search = await searches.findOneBy({ id, userId });
    if (!search) throw searchNotFound();
    this.creationEvents.searchesChanged(userId);
    return show(search);
  }

  /** Deletes a saved search. Its creations stay. @throws AppError NOT_FOUND */
  async delete(userId: string, id: string): Promise<void> {
    const { affected } = await this.dataSource.getRepository(SavedSearchEntity).delete({ id, userId });
    if (!affected) throw searchNotFound();
    this.creationEvents.searchesChanged(userId);
  }
}

const show = ({ id, name, filter, createdAt }: SavedSearchEntity): SavedSearch => ({
  ...{ id, name, filter },
  createdAt: createdAt.toISOString(),
});

const TOO_MANY = `You have ${MAX_SAVED_SEARCHES} folders, the most there can be. Delete one first.`;
const tooMany = () =>
  new AppError('VALIDATION_FAILED', TOO_MANY, { details: [{ field: 'name', message: TOO_MANY }] });

export const searchNotFound = () => new AppError('NOT_FOUND', 'There is no such folder.');
