import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { type Config, CONFIG } from '#libs/config/environment.js';
import {
  MAX_SEARCH_WORDS,
  creationNotFound,
  creationSettingsSchema,
  MAX_LIKES_LISTED,
  MAX_SOURCES_LISTED,
  RESTORABLE_HOURS,
  type Creation,
  type OwnCreations,
  type OwnCreationsQuery,
} from '#libs/contract/creations.js';
import { moderationCauses, moderationReason } from '#libs/contract/moderation.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { pageOfNext } from '#libs/database/page.js';
import { execute, queryRow, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { updateResultsDeletedAt } from './deleted-results.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { CreationEvents } from './creation-events.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { lockUser } from '#libs/accounts/lock-user.js';
import { pathOf, toUrl } from '#libs/storage/object-key.js';
import { engineNameSchema } from '#libs/contract/engine.js';
import { CONTENT_MAX } from '#libs/contract/creation-versions.js';
import { editableTypes } from '#libs/tools/catalogue.js';
import { addTag, FAVOURITE_TAG, readTags, removeTag } from './creation-tags.service.js';
import { Searches } from './searches.js';

const creationSchema = z.object({
  id: z.string(),
  job_id: z.string().nullable(),
  type: z.string(),
  prompt: z.string(),
  name: z.string().nullable(),
  tags: z.array(z.string()),
  content: z.string(),
  thumbnail_key: z.string().nullable(),
  engine: engineNameSchema,
  model: z.string().nullable(),
  settings: creationSettingsSchema.nullable(),
  made_from: z.string().nullable(),
  revision: z.number(),
  published: z.boolean(),
  created_at: z.date(),
  likes: z.array(z.string()),
  moderation: z
    .object({
      state: z.enum(['waiting', 'refused', 'hidden']),
      cause: z.enum(moderationCauses),
      reason: z.string().nullable(),
      appeal: z.string().nullable(),
    })
    .nullable(),
});
type CreationRow = z.infer<typeof creationSchema>;

const pageSchema = z.object({
  counts: z.record(z.string(), z.number()).nullable(),
  ids: z.array(z.string()),
  more: z.boolean(),
});
const typeCountSchema = z.object({ type: z.string(), number: z.number() });

const COLUMNS = `id, job_id, type, prompt, display_name AS name, content, engine, model, settings, content_revision AS revision, published, created_at,
  (SELECT id FROM creations source WHERE source.id = creations.made_from AND source.deleted_at IS NULL) AS made_from,
  (SELECT key FROM objects WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL) AS thumbnail_key,
  ARRAY(SELECT tag FROM creation_tags WHERE creation_id = creations.id ORDER BY tag) AS tags,
  ARRAY(SELECT user_id FROM creation_likes WHERE creation_id = creations.id
    ORDER BY created_at, user_id LIMIT ${MAX_LIKES_LISTED}) AS likes,
  (SELECT jsonb_build_object('state', state, 'cause', cause, 'reason', reason, 'appeal', appeal) FROM creation_moderations
    WHERE creation_id = creations.id AND state <> 'approved') AS moderation`;

/** SQL: size in bytes of a creation's list of likes in a response (about 40 bytes per user id). */
export const LIKES_BYTES = `(SELECT 40 * least(count(*), ${MAX_LIKES_LISTED}) FROM creation_likes WHERE creation_id = creations.id)`;

const STILL_RESTORABLE = `(deleted_at IS NULL OR deleted_at > now() - interval '${RESTORABLE_HOURS} hours')`;

const countsOf = (source: string) => `(SELECT coalesce(jsonb_object_agg(type, number), '{}')
  FROM (SELECT type, count(*) AS number FROM ${source} GROUP BY type) AS types)`;

/** Creations of users. Creations of other users throw NOT_FOUND. */
@Injectable()
export class Creations {
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly searches: Searches,
    private readonly creationEvents: CreationEvents,
    private readonly jobEvents: JobEvents,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    this.publicUrl = publicUrl;
  }

  /**
   * A page of a user's creations, optionally filtered by a search, with the number of creations by type.
   * @param signal cancels a search
   * @throws AppError VALIDATION_FAILED if the cursor is invalid; RATE_LIMITED or UNAVAILABLE if a search cannot run
   */
  async ofUser(userId: string, query: OwnCreationsQuery, signal: AbortSignal): Promise<OwnCreations> {
    const words = searchWords(query.search);
    if (words.length === 0) return this.list(this.dataSource, userId, query, words);
    return this.searches.run(userId, signal, (database) => this.list(database, userId, query, words));
  }

  private async list(
    database: Database,
    userId: string,
    { cursor, limit, type, tag, favourite, sort }: OwnCreationsQuery,
    words: string[],
  ): Promise<OwnCreations> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const [before, order] = sort === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
    const inOrder = `ORDER BY created_at ${order}, id ${order}`;
    const tags = [...(tag ? [tag] : []), ...(favourite ? [FAVOURITE_TAG] : [])];
    const tagAt = (i: number) => `$${6 + words.length + i}`;
    const isTagged = (table: string, i: number) =>
      `${table}.user_id = $1 AND ${table}.is_deleted = false AND ${table}.tag = ${tagAt(i)}`;
    // A separate LIKE for each word, so that PostgreSQL can use the trigram index.
    const matches = [
      ...words.map((_, i) => `AND search_text LIKE lower($${i + 6})`),
      ...tags
        .slice(1)
        .map(
          (_, i) =>
            `AND EXISTS (SELECT FROM creation_tags other WHERE other.creation_id = creations.id AND ${isTagged('other', i + 1)})`,
        ),
    ].join(' ');
    // With a tag, read the index of `creation_tags`, which is in the same order.
    const [listed, source] =
      tags.length === 0
        ? [`id, created_at, type`, `creations`]
        : [
            `tagged.creation_id AS id, tagged.created_at, tagged.type`,
            `creation_tags tagged JOIN creations ON creations.id = tagged.creation_id AND ${isTagged('tagged', 0)}`,
          ];
    // A search reads all matches anyway, so `found` is materialized and counted. Otherwise only the rows of the page
    // are read, in the order of an index.
    const isSearch = words.length > 0;
    const counted =
      isSearch || tags.length > 1
        ? countsOf('found')
        : tags.length === 1
          ? countsOf(`creation_tags tagged WHERE ${isTagged('tagged', 0)}`)
          : 'NULL';
    const page = await queryRow(
      database,
      pageSchema,
      `WITH found AS ${isSearch ? 'MATERIALIZED' : 'NOT MATERIALIZED'} (
         SELECT ${listed}, octet_length(prompt) + octet_length(content) + coalesce(octet_length(settings::text), 0) + ${LIKES_BYTES} AS bytes
         FROM ${source} WHERE creations.user_id = $1 AND deleted_at IS NULL ${matches}
       ), next AS (
         SELECT id, created_at, bytes FROM found
         WHERE ($2::timestamptz IS NULL OR (created_at, id) ${before} ($2, $3::uuid)) AND ($5::text IS NULL OR type = $5)
         ${inOrder} LIMIT $4::integer + 1
       ), ${pageOfNext(inOrder, '$4')}
       SELECT ${counted} AS counts,
         ARRAY(SELECT id FROM page WHERE fits ${inOrder}) AS ids,
         EXISTS (SELECT FROM page WHERE NOT fits) AS more`,
      [userId, after?.time ?? null, after?.id ?? null, limit, type || null, ...words, ...tags],
    );
    const { counts, ids, more } = page!;
    const creations = await queryRows(
      database,
      creationSchema,
      `SELECT ${COLUMNS} FROM creations WHERE id = ANY ($1) AND deleted_at IS NULL ${inOrder}`,
      [ids],
    );
    const totals = await queryRows(
      database,
      typeCountSchema,
      `SELECT type, count(*)::integer AS number FROM creations
       WHERE user_id = $1 AND deleted_at IS NULL GROUP BY type ORDER BY type`,
      [userId],
    );
    const last = creations.at(-1);
    return {
      creations: creations.map((creation) => this.show(creation)),
      nextCursor: more && last ? encodeCursor(last.created_at, last.id) : null,
      total: totals.reduce((sum, { number }) => sum + number, 0),
      counts: Object.fromEntries(
        totals.map(({ type: name, number }) => [name, counts ? (counts[name] ?? 0) : number]),
      ),
      tags: await readTags(database, userId),
    };
  }

  /** @throws AppError NOT_FOUND */
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

  /** Chain of sources: the creation's source, the source of that, and so on. */
  async sources(userId: string, id: string): Promise<Creation[]> {
    const found = await queryRows(
      this.dataSource,
      creationSchema.extend({ depth: z.number() }),
      `WITH RECURSIVE chain AS (
         SELECT made_from AS source, 1 AS depth FROM creations WHERE id = $1 AND user_id = $2
         UNION ALL
         SELECT made_from, depth + 1 FROM chain JOIN creations ON creations.id = source
         WHERE user_id = $2 AND deleted_at IS NULL AND depth < ${MAX_SOURCES_LISTED}
       )
       SELECT ${COLUMNS}, depth FROM chain JOIN creations ON creations.id = source
       WHERE user_id = $2 AND deleted_at IS NULL ORDER BY depth`,
      [id, userId],
    );
    return found.map(({ depth: _, ...creation }) => this.show(creation));
  }

  /** The batch that made a creation, with the URL of its original; null without one. */
  async batchOf(userId: string, id: string): Promise<{ id: string; original: string | null } | null> {
    const found = await queryRow(
      this.dataSource,
      z.object({ id: z.string(), key: z.string().nullable() }),
      `SELECT batches.id, objects.key FROM creations
       JOIN jobs ON jobs.id = creations.job_id JOIN batches ON batches.id = jobs.batch_id
       LEFT JOIN objects ON objects.creation_id = creations.id AND kind = 'original' AND removed_at IS NULL
       WHERE creations.id = $1 AND creations.user_id = $2`,
      [id, userId],
    );
    return found === undefined
      ? null
      : { id: found.id, original: found.key && toUrl(pathOf(found.key), this.publicUrl) };
  }

  /**
   * Renames a creation or marks it as a favourite. If the name is null, the prompt is shown.
   * @throws AppError NOT_FOUND
   */
  async rename(
    userId: string,
    id: string,
    { name, favourite }: { name?: string | null; favourite?: boolean },
  ): Promise<Creation> {
    const isChanged = await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const renamed =
        name !== undefined &&
        (await execute(
          transaction,
          `UPDATE creations SET display_name = $3
           WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL AND display_name IS DISTINCT FROM $3`,
          [id, userId, name],
        )) > 0;
      if (favourite === undefined) return renamed;
      const change = favourite ? addTag : removeTag;
      return (await change(transaction, userId, [id], FAVOURITE_TAG)).length > 0 || renamed;
    });
    if (isChanged) this.creationEvents.creationsChanged(userId, [id]);
    return this.one(userId, id);
  }

  /** Deletes a creation, which can be restored for a day. Deleting it again succeeds. @throws AppError NOT_FOUND */
  async delete(userId: string, id: string): Promise<{ restorableUntil: string }> {
    const [deleted] = await this.change(userId, (transaction) =>
      queryRows(
        transaction,
        z.object({ id: z.string(), until: z.date() }),
        `UPDATE creations SET deleted_at = coalesce(deleted_at, now())
       WHERE id = $1 AND user_id = $2 AND ${STILL_RESTORABLE}
       RETURNING id, deleted_at + interval '${RESTORABLE_HOURS} hours' AS until`,
        [id, userId],
      ),
    );
    if (!deleted) throw creationNotFound();
    return { restorableUntil: deleted.until.toISOString() };
  }

  /** Restores a deleted creation. @throws AppError NOT_FOUND, also if the day for restoring is over */
  async restore(userId: string, id: string): Promise<Creation> {
    const [restored] = await this.change(userId, (transaction) =>
      queryRows(
        transaction,
        creationSchema,
        `UPDATE creations SET deleted_at = NULL
       WHERE id = $1 AND user_id = $2 AND ${STILL_RESTORABLE} RETURNING ${COLUMNS}`,
        [id, userId],
      ),
    );
    if (!restored) throw creationNotFound();
    return this.show(restored);
  }

  /** Deletes several creations like {@link delete}. Ignores missing creations. @returns ids of the deleted creations */
  async deleteAll(userId: string, ids: string[]): Promise<string[]> {
    return this.changeAll(userId, ids, 'deleted_at = now()', 'deleted_at IS NULL');
  }

  /** Restores several creations. Ignores those that cannot be restored. @returns ids of the restored creations */
  async restoreAll(userId: string, ids: string[]): Promise<string[]> {
    return this.changeAll(userId, ids, 'deleted_at = NULL', `deleted_at IS NOT NULL AND ${STILL_RESTORABLE}`);
  }

  /** Locks the rows in the order of their ids, to avoid deadlocks. */
  private async changeAll(userId: string, ids: string[], set: string, which: string): Promise<string[]> {
    const changed = await this.change(userId, (transaction) =>
      queryRows(
        transaction,
        z.object({ id: z.string() }),
        `WITH chosen AS (
           SELECT id FROM creations WHERE user_id = $1 AND id = ANY ($2) AND ${which} ORDER BY id FOR NO KEY UPDATE)
         UPDATE creations SET ${set} FROM chosen WHERE creations.id = chosen.id RETURNING creations.id`,
        [userId, ids],
      ),
    );
    return changed.map(({ id }) => id);
  }

  /** Deletes or restores creations together with the results of their jobs, then publishes the changed jobs. */
  private async change<Row extends { id: string }>(
    userId: string,
    update: (transaction: Transaction) => Promise<Row[]>,
  ): Promise<Row[]> {
    const { rows, jobs } = await this.dataSource.transaction(async (transaction) => {
      const changed = await update(transaction);
      const ids = changed.map(({ id }) => id);
      return { rows: changed, jobs: await updateResultsDeletedAt(transaction, ids) };
    });
    void this.publishChanges(userId, rows, jobs);
    return rows;
  }

  private async publishChanges(userId: string, rows: { id: string }[], jobs: JobEntity[]): Promise<void> {
    this.creationEvents.creationsChanged(
      userId,
      rows.map(({ id }) => id),
    );
    // One after another: each event reads rows, and must not take the connections that requests need.
    for (const job of jobs) await this.jobEvents.jobChanged(job);
  }

  private show({
    job_id,
    made_from,
    created_at,
    content,
    thumbnail_key,
    tags,
    moderation,
    ...creation
  }: CreationRow): Creation {
    return {
      ...creation,
      favourite: tags.includes(FAVOURITE_TAG),
      tags: tags.filter((tag) => tag !== FAVOURITE_TAG),
      content: toUrl(content, this.publicUrl),
      thumbnail: thumbnail_key && toUrl(pathOf(thumbnail_key), this.publicUrl),
      editable: editableTypes.has(creation.type) && content.length <= CONTENT_MAX,
      page: creation.published ? `${this.publicUrl}/c/${creation.id}` : null,
      moderation: moderation && {
        state: moderation.state,
        reason: moderationReason(moderation.cause, moderation.reason),
        canAppeal: moderation.state !== 'waiting' && moderation.appeal === null,
        appeal: moderation.appeal,
      },
      created_at: created_at.toISOString(),
      jobId: job_id,
      madeFrom: made_from,
    };
  }
}

/** LIKE patterns for the first distinct words of a search, with wildcards escaped. */
const searchWords = (search = ''): string[] =>
  [...new Set(search.normalize('NFC').split(/\s+/).filter(Boolean))]
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
