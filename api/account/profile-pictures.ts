import { Inject, Injectable } from '@nestjs/common';
import sharp from 'sharp';
import { DataSource } from 'typeorm';
import type { Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { row } from '#libs/database/sql.js';
import { Announcements } from '#libs/jobs/announcements.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

/** Pixels of a side: twice what the largest place shows. */
const SIDE = 512;

/**
 * The pictures of local accounts: made small and square, without what a camera wrote into them, and served at an
 * address that nobody can guess and that names nobody.
 */
@Injectable()
export class ProfilePictures {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    private readonly announcements: Announcements,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError FORBIDDEN where the account provider keeps the pictures */
  requireLocal(): void {
    if (this.config.accounts.kind !== 'local')
      throw new AppError('FORBIDDEN', 'The picture is changed in the profile of your account.');
  }

  /**
   * @param path of the image; the caller removes it
   * @throws AppError UNREADABLE_IMAGE, UNAUTHENTICATED; StoreError when the store is away
   */
  async set(personId: string, path: string): Promise<void> {
    const content = await makeSmall(path);
    const key = await this.files.keep({ personId, kind: 'picture', type: 'image/webp', name: '', content });
    await this.replace(personId, key);
  }

  async remove(personId: string): Promise<void> {
    await this.replace(personId, null);
  }

  private async replace(personId: string, key: string | null): Promise<void> {
    const address = key === null ? null : `${this.config.publicUrl}/files/${key}`;
    const before = await this.dataSource.transaction(async (transaction) => {
      const person = await row<{ key: string | null }>(
        transaction,
        `SELECT picture_key AS key FROM people WHERE id = $1 FOR NO KEY UPDATE`,
        [personId],
      );
      await row(
        transaction,
        `UPDATE people SET picture_key = $2, image_url = $3, updated_at = now() WHERE id = $1`,
        [personId, key, address],
      );
      await row(transaction, `UPDATE auth_users SET "image" = $2, "updatedAt" = now() WHERE "id" = $1`, [
        personId,
        address,
      ]);
      return person?.key ?? null;
    });
    // What the store does not let go now goes with the next pass of retention.
    if (before !== null) await this.files.remove([before]).catch(() => undefined);
    await this.announcements.accountChanged(personId);
  }
}

async function makeSmall(path: string): Promise<Buffer> {
  try {
    return await sharp(path)
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
      .webp({ quality: 86 })
      .toBuffer();
  } catch (cause) {
    throw new AppError(
      'UNREADABLE_IMAGE',
      'This image cannot be read: it is damaged. Save it anew and try again.',
      { cause },
    );
  }
}
