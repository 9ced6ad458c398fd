import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Config } from '#libs/config/environment.js';
import type { PublishedCreation, ToggledLike } from '#libs/contract/community.js';
import type { CreationListQuery } from '#libs/contract/creations.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { CreationLikeEntity } from '#libs/database/entities/creations.js';
import { execute, queryRows } from '#libs/database/sql.js';
import { CONFIG } from '#libs/config/config.module.js';
import { engineNameSchema } from '#libs/contract/engine-name.js';
import { creationNotFound } from '../creations/creations.service.js';

const publishedSchema = z.object({
  id: z.string(),
  type: z.string(),
  prompt: z.string(),
  engine: engineNameSchema,
  created_at: z.date(),
  author_name: z.string(),
  author_image_url: z.string().nullable(),
  has_thumbnail: z.boolean(),
  likes: z.array(z.string()),
});
type PublishedRow = z.infer<typeof publishedSchema>;

const IS_PUBLIC = `published AND deleted_at IS NULL AND type = 'image'`;

/** The feed of published images and their likes. */
@Injectable()
export class Community {
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    this.publicUrl = publicUrl;
  }

  /** Everybody's published images, newest first. @throws AppError VALIDATION_FAILED for a foreign cursor */
  async published(
    userId: string,
    { cursor, limit }: CreationListQuery,
  ): Promise<{ creations: PublishedCreation[]; nextCursor: string | null }> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const found = await queryRows(
      this.dataSource,
      publishedSchema,
      `SELECT creations.id, type, prompt, engine, creations.created_at,
         users.name AS author_name, users.image_url AS author_image_url,
         EXISTS (SELECT FROM objects
           WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL) AS has_thumbnail,
         ARRAY(SELECT user_id FROM creation_likes
           WHERE creation_id = creations.id ORDER BY created_at, user_id) AS likes
       FROM creations JOIN users ON users.id = creations.user_id
       WHERE ${IS_PUBLIC} AND ($1::timestamptz IS NULL OR (creations.created_at, creations.id) < ($1, $2::uuid))
       ORDER BY creations.created_at DESC, creations.id DESC LIMIT $3`,
      [after?.time ?? null, after?.id ?? null, limit + 1],
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      creations: page.map((creation) => this.show(creation, userId)),
      nextCursor: found.length > page.length && last ? encodeCursor(last.created_at, last.id) : null,
    };
  }

  /**
   * Likes a published image, or takes the like back. Calls of one user for one image take effect one after the
   * other, however many come at once.
   * @throws AppError NOT_FOUND for what is not published
   */
  async toggleLike(userId: string, id: string): Promise<ToggledLike> {
    if (!z.uuid().safeParse(id).success) throw creationNotFound();
    return this.dataSource.transaction(async (transaction) => {
      await execute(transaction, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        `like ${id} ${userId}`,
      ]);
      const isPublic = await execute(
        transaction,
        `SELECT id FROM creations WHERE id = $1 AND ${IS_PUBLIC} FOR KEY SHARE`,
        [id],
      );
      if (isPublic === 0) throw creationNotFound();
      const like = { creationId: id, userId };
      const { affected } = await transaction.delete(CreationLikeEntity, like);
      if (!affected) await transaction.insert(CreationLikeEntity, like);
      const likeCount = await transaction.countBy(CreationLikeEntity, { creationId: id });
      return { liked: !affected, likeCount };
    });
  }

  private show(creation: PublishedRow, userId: string): PublishedCreation {
    const { author_name, author_image_url, has_thumbnail, created_at, likes, ...fields } = creation;
    const page = `${this.publicUrl}/c/${creation.id}`;
    return {
      ...fields,
      content: `${page}/image`,
      thumbnail: has_thumbnail ? `${page}/thumbnail` : null,
      page,
      published: true,
      created_at: created_at.toISOString(),
      likes,
      likeCount: likes.length,
      likedByMe: likes.includes(userId),
      author: { name: author_name, imageUrl: author_image_url },
    };
  }
}
