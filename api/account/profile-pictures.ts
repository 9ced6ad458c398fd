import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { AuthUserEntity } from '#libs/database/entities/local-accounts.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { requireRoomForFile } from '#libs/billing/storage-quota.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { makeProfilePicture } from './make-profile-picture.js';

/** Profile pictures of local accounts. Their URLs do not identify the user. */
@Injectable()
export class ProfilePictures {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    private readonly accountEvents: AccountEvents,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError FORBIDDEN if pictures are managed by the account provider */
  requireLocal(): void {
    if (this.config.accounts.kind !== 'local')
      throw new AppError('FORBIDDEN', 'The picture is changed in the profile of your account.');
  }

  /**
   * @param path local image file, which the caller deletes
   * @throws AppError UNREADABLE_IMAGE, UNAVAILABLE, STORAGE_FULL, UNAUTHENTICATED; StoreError if the store is
   *   unavailable
   */
  async set(userId: string, path: string): Promise<void> {
    const content = await makeProfilePicture(path);
    const key = await this.files.add({
      ...{ userId, kind: 'picture', type: 'image/webp', name: '', content },
      requireRoom: (transaction) =>
        requireRoomForFile(transaction, this.config.storageQuota, userId, content.length, reclaimStorage),
    });
    await this.replace(userId, key);
  }

  async remove(userId: string): Promise<void> {
    await this.replace(userId, null);
  }

  private async replace(userId: string, key: string | null): Promise<void> {
    const address = key === null ? null : `${this.config.publicUrl}/files/${key}`;
    const before = await this.dataSource.transaction(async (transaction) => {
      const user = await transaction.findOne(UserEntity, {
        where: { id: userId },
        lock: { mode: 'for_no_key_update' },
      });
      await transaction.update(
        UserEntity,
        { id: userId },
        { pictureKey: key, imageUrl: address, updatedAt: () => 'now()' },
      );
      await transaction.update(AuthUserEntity, { id: userId }, { image: address, updatedAt: () => 'now()' });
      return user?.pictureKey ?? null;
    });
    // Ignore failures, since retention deletes the old file later.
    if (before !== null) await this.files.remove([before]).catch(() => undefined);
    await this.accountEvents.accountChanged(userId);
  }
}
