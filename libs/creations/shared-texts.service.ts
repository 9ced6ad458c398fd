import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { engineNameSchema } from '#libs/contract/engine.js';
import { shorten } from '#libs/contract/text.js';
import { markdownTitle } from '#libs/contract/markdown.js';
import type { Share, SharedText } from '#libs/contract/sharing.js';
import { AppError } from '#libs/contract/errors.js';
import { CreationShareEntity } from '#libs/database/entities/creations.js';
import { queryRow } from '#libs/database/sql.js';
import { createKey, isKey } from '#libs/storage/object-key.js';
import { requireNotTakenDown } from './takedown.js';
import { isImage, lockVersioned, readWithoutText } from './version-rows.js';

const TITLE_MAX_CHARACTERS = 120;

const sharedRowSchema = z.object({
  content: z.string(),
  author: z.string(),
  engine: engineNameSchema,
  model: z.string().nullable(),
  created_at: z.date(),
});

@Injectable()
export class SharedTexts {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The share link of a user's text, or null if the text is not shared. @throws AppError NOT_FOUND */
  async ofCreation(userId: string, creationId: string): Promise<Share | null> {
    await readWithoutText(this.dataSource, userId, creationId);
    const share = await this.dataSource.getRepository(CreationShareEntity).findOneBy({ creationId });
    return share && this.toShare(share);
  }

  /** @throws AppError NOT_FOUND, or FORBIDDEN for images */
  async share(userId: string, creationId: string, live: boolean): Promise<Share> {
    return this.dataSource.transaction(async (transaction) => {
      const creation = await lockVersioned(transaction, userId, creationId);
      if (isImage(creation)) throw new AppError('FORBIDDEN', 'Images are published instead.');
      await requireNotTakenDown(transaction, creationId);
      const content = live ? null : creation.content;
      const known = await transaction.findOneBy(CreationShareEntity, { creationId });
      if (known) await transaction.update(CreationShareEntity, { creationId }, { content });
      else await transaction.insert(CreationShareEntity, { token: createKey(), creationId, content });
      return this.toShare(await transaction.findOneByOrFail(CreationShareEntity, { creationId }));
    });
  }

  /** Ends the sharing of a text. Succeeds if the text is not shared. @throws AppError NOT_FOUND */
  async withdraw(userId: string, creationId: string): Promise<void> {
    await readWithoutText(this.dataSource, userId, creationId);
    await this.dataSource.getRepository(CreationShareEntity).delete({ creationId });
  }

  /** The shared text of a link. Undefined if the text is no longer shared or was deleted. */
  async find(token: string): Promise<SharedText | undefined> {
    if (!isKey(token)) return undefined;
    const found = await queryRow(
      this.dataSource,
      sharedRowSchema,
      `SELECT coalesce(creation_shares.content, creations.content) AS content, users.name AS author,
         engine, model, creations.created_at
       FROM creation_shares JOIN creations ON creations.id = creation_id JOIN users ON users.id = user_id
       WHERE token = $1 AND deleted_at IS NULL`,
      [token],
    );
    if (!found) return undefined;
    const { created_at, ...text } = found;
    return {
      ...text,
      title: shorten(markdownTitle(text.content), TITLE_MAX_CHARACTERS) || 'A text',
      createdAt: created_at.toISOString(),
    };
  }

  private toShare({ token, content, createdAt }: CreationShareEntity): Share {
    return {
      url: `${this.config.publicUrl}/t/${token}`,
      live: content === null,
      createdAt: createdAt.toISOString(),
    };
  }
}
