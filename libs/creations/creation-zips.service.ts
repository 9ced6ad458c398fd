import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { creationNotFound, MAX_ZIPS, ZIP_MINUTES } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { shorten } from '#libs/contract/text.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { queryRow, queryRows } from '#libs/database/sql.js';
import { createKey, isKey } from '#libs/storage/object-key.js';
import type { ZipDownload } from '#libs/storage/zip-download.js';

const NAME_MAX_CHARACTERS = 100;

/**
 * ZIP downloads of selected creations. The secret key in the link replaces a token, since a browser's download sends no
 * Authorization header.
 */
@Injectable()
export class CreationZips {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /**
   * Creates a link with a random key. If the user has too many links, the oldest links expire.
   * @throws AppError NOT_FOUND if none of the creations exists
   */
  async create(userId: string, ids: string[]): Promise<{ url: string; count: number }> {
    const key = createKey();
    const made = await queryRow(
      this.dataSource,
      z.object({ count: z.number() }),
      `WITH ended AS (
         DELETE FROM creation_zips WHERE key IN (
           SELECT key FROM creation_zips WHERE user_id = $1 ORDER BY created_at DESC OFFSET ${MAX_ZIPS - 1}))
       INSERT INTO creation_zips (key, user_id, creation_ids)
       SELECT $3, $1, array_agg(id) FROM creations
       WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL HAVING count(*) > 0
       RETURNING cardinality(creation_ids) AS count`,
      [userId, ids, key],
    );
    if (!made) throw creationNotFound();
    return { url: `${this.config.publicUrl}/files/creations/${key}`, count: made.count };
  }

  /** Existing creations of a link, with their edited texts. @throws AppError NOT_FOUND, also if the link has expired */
  async find(key: string): Promise<ZipDownload> {
    const entries = isKey(key)
      ? await queryRows(
          this.dataSource,
          entrySchema,
          `SELECT creations.id, creation_zips.user_id, creations.type, coalesce(display_name, prompt) AS name, creations.created_at,
             objects.key, objects.type AS media_type, objects.bytes
           FROM creation_zips
           JOIN creations ON creations.user_id = creation_zips.user_id AND creations.id = ANY (creation_ids) AND deleted_at IS NULL
           LEFT JOIN objects ON creation_id = creations.id AND kind = 'image' AND removed_at IS NULL AND stored_at IS NOT NULL
           WHERE creation_zips.key = $1 AND creation_zips.created_at > now() - interval '${ZIP_MINUTES} minutes'
             AND (creations.type <> 'image' OR objects.key IS NOT NULL)
           ORDER BY creations.created_at DESC, creations.id`,
          [key],
        )
      : [];
    const [first] = entries;
    if (!first)
      throw new AppError('NOT_FOUND', 'This download is over. Choose the creations again for another one.');
    return {
      userId: first.user_id,
      name: `pressroom-${new Date().toISOString().slice(0, 10)}.zip`,
      entries: entries.map((entry) => ({
        name: `${shorten(entry.name, NAME_MAX_CHARACTERS).replace(/[\\/]+/g, '-')}.file`,
        modified: entry.created_at,
        ...(entry.key !== null && entry.media_type !== null && entry.bytes !== null
          ? { type: entry.media_type, key: entry.key, bytes: entry.bytes }
          : { type: 'text/markdown', read: () => this.readText(entry.id) }),
      })),
    };
  }

  private async readText(id: string): Promise<string> {
    const { content } = await this.dataSource
      .getRepository(CreationEntity)
      .findOneOrFail({ where: { id }, select: { content: true } });
    return content;
  }
}

const entrySchema = z.object({
  id: z.string(),
  user_id: z.string(),
  type: z.string(),
  name: z.string(),
  created_at: z.date(),
  key: z.string().nullable(),
  media_type: z.string().nullable(),
  bytes: z.number().nullable(),
});
