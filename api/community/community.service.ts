import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { type Config, CONFIG } from '#libs/config/environment.js';
import type { PublishedCreation, ToggledLike } from '#libs/contract/sharing.js';
import { engineNameSchema } from '#libs/contract/engine.js';
import { creationNotFound, MAX_LIKES_LISTED, type CreationListQuery } from '#libs/contract/creations.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { CreationLikeEntity } from '#libs/database/entities/creations.js';
import { pageOfNext } from '#libs/database/page.js';
import { execute, queryRows } from '#libs/database/sql.js';
import { LIKES_BYTES } from '#libs/creations/creations.service.js';

const publishedSchema = z.object({
  id: z.string(),
  type: z.string(),
  prompt: z.string(),
  engine: engineNameSchema,
  model: z.string().nullable(),
  created_at: z.date(),
  author_name: z.string(),
  author_image_url: z.string().nullable(),
  has_thumbnail: z.boolean(),
  likes: z.array(z.string()),
  like_count: z.number(),
  liked_by_me: z.boolean(),
  more: z.boolean(),
});
type PublishedRow = z.infer<typeof publishedSchema>;

const IS_PUBLIC = `published AND deleted_at IS NULL AND type = 'image'`;

@Injectable()
export class Community {
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    this.publicUrl = publicUrl;
  }

  /** Published images of all users, newest first. @throws AppError VALIDATION_FAILED if the cursor is invalid */
  async published(
    userId: string,
    { cursor, limit }: CreationListQuery,
  ): Promise<{ creations: PublishedCreation[]; nextCursor: string | null }> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const found = await queryRows(
      this.dataSource,
      publishedSchema,
      `WITH next AS (
         SELECT id, created_at, octet_length(prompt) + ${LIKES_BYTES} AS bytes FROM creations
         WHERE ${IS_PUBLIC} AND ($1::timestamptz IS NULL OR (created_at, id) < ($1, $2::uuid))
           AND NOT EXISTS (SELECT FROM creation_reports WHERE creation_id = creations.id AND creation_reports.user_id = $4)
         ORDER BY created_at DESC, id DESC LIMIT $3::integer + 1
       ), ${pageOfNext('ORDER BY created_at DESC, id DESC', '$3')}
       SELECT creations.id, type, coalesce(published_caption, prompt) AS prompt, engine, model, creations.created_at,
         coalesce(published_author, published_name, users.name) AS author_name,
         CASE WHEN published_author IS NULL THEN users.image_url END AS author_image_url,
         EXISTS (SELECT FROM objects
           WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL) AS has_thumbnail,
         ARRAY(SELECT user_id FROM creation_likes WHERE creation_id = creations.id
           ORDER BY created_at, user_id LIMIT ${MAX_LIKES_LISTED}) AS likes,
         (SELECT count(*)::integer FROM creation_likes WHERE creation_id = creations.id) AS like_count,
         EXISTS (SELECT FROM creation_likes WHERE creation_id = creations.id AND user_id = $4) AS liked_by_me,
         EXISTS (SELECT FROM page WHERE NOT fits) AS more
       FROM page JOIN creations ON creations.id = page.id JOIN users ON users.id = creations.user_id
       WHERE fits ORDER BY creations.created_at DESC, creations.id DESC`,
      [after?.time ?? null, after?.id ?? null, limit, userId],
    );
    const last = found.at(-1);
    return {
      creations: found.map((creation) => this.show(creation)),
      nextCursor: last?.more ? encodeCursor(last.created_at, last.id) : null,
    };
  }

  /**
   * Likes a published image, or removes the like. Concurrent calls of a user for the same image run one after another.
   * @throws AppError NOT_FOUND if the image is not published
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

  private show(creation: PublishedRow): PublishedCreation {
    const page = `${this.publicUrl}/c/${creation.id}`;
    return {
      id: creation.id,
      type: creation.type,
      prompt: creation.prompt,
      engine: creation.engine,
      model: creation.model,
      likes: creation.likes,
      content: `${page}/image`,
      thumbnail: creation.has_thumbnail ? `${page}/thumbnail` : null,
      page,
      published: true,
      created_at: creation.created_at.toISOString(),
      likeCount: creation.like_count,
      likedByMe: creation.liked_by_me,
      author: { name: creation.author_name, imageUrl: creation.author_image_url },
    };
  }
}
