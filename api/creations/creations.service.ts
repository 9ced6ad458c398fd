import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Config } from '#libs/config/environment.js';
import {
  RESTORABLE_HOURS,
  type Creation,
  type OwnCreations,
  type OwnCreationsQuery,
} from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { queryRow, queryRows } from '#libs/database/sql.js';
import { CONFIG } from '#libs/config/config.module.js';
import { pathOf, toUrl } from '#libs/storage/object-key.js';
import { engineNameSchema } from '#libs/contract/engine-name.js';

const creationSchema = z.object({
  id: z.string(),
  job_id: z.string().nullable(),
  type: z.string(),
  prompt: z.string(),
  content: z.string(),
  thumbnail_key: z.string().nullable(),
  engine: engineNameSchema,
  published: z.boolean(),
  created_at: z.date(),
  likes: z.array(z.string()),
});
type CreationRow = z.infer<typeof creationSchema>;

const COLUMNS = `id, job_id, type, prompt, content, engine, published, created_at,
  (SELECT key FROM objects WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL) AS thumbnail_key,
  ARRAY(SELECT user_id FROM creation_likes WHERE creation_id = creations.id ORDER BY created_at, user_id) AS likes`;

const STILL_RESTORABLE = `(deleted_at IS NULL OR deleted_at > now() - interval '${RESTORABLE_HOURS} hours')`;

/** Whether every pattern of `$5` matches the prompt or the text. The content of an image is its address. */
const FOUND = `(concat_ws(' ', prompt, CASE WHEN type <> 'image' THEN content END) ILIKE ALL ($5::text[]))`;

/** The creations of users. Those of other users are not found. */
@Injectable()
export class Creations {
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    this.publicUrl = publicUrl;
  }

  /** A user's creations with their number by type. @throws AppError VALIDATION_FAILED for a foreign cursor */
  async ofUser(
    userId: string,
    { cursor, limit, search, type, sort }: OwnCreationsQuery,
  ): Promise<OwnCreations> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const words = patternsOf(search);
    const [before, order] = sort === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
    const found = await queryRows(
      this.dataSource,
      creationSchema,
      `SELECT ${COLUMNS} FROM creations
       WHERE user_id = $1 AND deleted_at IS NULL
         AND ($2::timestamptz IS NULL OR (created_at, id) ${before} ($2, $3::uuid))
         AND ${FOUND} AND ($6::text IS NULL OR type = $6)
       ORDER BY created_at ${order}, id ${order} LIMIT $4`,
      [userId, after?.time ?? null, after?.id ?? null, limit + 1, words, type || null],
    );
    const counted = await queryRows(
      this.dataSource,
      z.object({ type: z.string(), found: z.number(), total: z.number() }),
      `SELECT type, count(*) FILTER (WHERE ${FOUND.replace('$5', '$2')})::integer AS found, count(*)::integer AS total
       FROM creations WHERE user_id = $1 AND deleted_at IS NULL GROUP BY type ORDER BY type`,
      [userId, words],
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      creations: page.map((creation) => this.show(creation)),
      nextCursor: found.length > page.length && last ? encodeCursor(last.created_at, last.id) : null,
      total: counted.reduce((sum, { total }) => sum + total, 0),
      counts: Object.fromEntries(counted.map((one) => [one.type, one.found])),
    };
  }

  /** One creation of a user. @throws AppError NOT_FOUND */
  async one(userId: string, id: string): Promise<Creation> {
    const found = await queryRow(
      this.dataSource,
      creationSchema,
      `SELECT ${COLUMNS} FROM creations WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL`,
      [id, userId],
    );
    if (!found) throw creationNotFound();
    return this.show(found);
  }

  /** Deletes a creation; for a day it can be restored. Deleting it again is no error. @throws AppError NOT_FOUND */
  async delete(userId: string, id: string): Promise<{ restorableUntil: string }> {
    const deleted = await queryRow(
      this.dataSource,
      z.object({ until: z.date() }),
      `UPDATE creations SET deleted_at = coalesce(deleted_at, now())
       WHERE id = $1 AND user_id = $2 AND ${STILL_RESTORABLE}
       RETURNING deleted_at + interval '${RESTORABLE_HOURS} hours' AS until`,
      [id, userId],
    );
    if (!deleted) throw creationNotFound();
    return { restorableUntil: deleted.until.toISOString() };
  }

  /** Restores a deleted creation. @throws AppError NOT_FOUND, also after its day */
  async restore(userId: string, id: string): Promise<Creation> {
    const restored = await queryRow(
      this.dataSource,
      creationSchema,
      `UPDATE creations SET deleted_at = NULL
       WHERE id = $1 AND user_id = $2 AND ${STILL_RESTORABLE} RETURNING ${COLUMNS}`,
      [id, userId],
    );
    if (!restored) throw creationNotFound();
    return this.show(restored);
  }

  /** Publishes an image, or withdraws it. @throws AppError NOT_FOUND, FORBIDDEN for other creations */
  async publish(userId: string, id: string, publish: boolean): Promise<Creation> {
    const changed = await queryRow(
      this.dataSource,
      creationSchema,
      `UPDATE creations SET published = $3 AND type = 'image'
       WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
      [id, userId, publish],
    );
    if (!changed) throw creationNotFound();
    if (publish && !changed.published) throw new AppError('FORBIDDEN', 'Only images can be published.');
    return this.show(changed);
  }

  private show({ job_id, created_at, content, thumbnail_key, ...creation }: CreationRow): Creation {
    return {
      ...creation,
      content: toUrl(content, this.publicUrl),
      thumbnail: thumbnail_key && toUrl(pathOf(thumbnail_key), this.publicUrl),
      page: creation.published ? `${this.publicUrl}/c/${creation.id}` : null,
      created_at: created_at.toISOString(),
      jobId: job_id,
    };
  }
}

/** An ILIKE pattern for each word, with wildcards escaped. */
const patternsOf = (search = ''): string[] =>
  search
    .normalize('NFC')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);

export const creationNotFound = () => new AppError('NOT_FOUND', 'There is no such creation.');
