import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { MAX_TAGS, MAX_TAGS_OF_USER } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { CreationTagEntity } from '#libs/database/entities/creations.js';
import { execute, queryColumns, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { CreationEvents } from './creation-events.js';
import { lockUser } from '#libs/accounts/lock-user.js';

/** Tag that marks favourites. Cannot collide with users' own tags, which contain a letter or digit. */
export const FAVOURITE_TAG = '★';

const tagSchema = z.object({ tag: z.string() });

@Injectable()
export class CreationTags {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creationEvents: CreationEvents,
  ) {}

  /**
   * Adds a tag to a user's creations, or removes it.
   * @returns ids of the changed creations
   * @throws AppError VALIDATION_FAILED if a creation or the user would have too many tags
   */
  async change(userId: string, ids: string[], tag: string, add: boolean): Promise<string[]> {
    const changed = await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if (!add) return removeTag(transaction, userId, ids, tag);
      const added = await addTag(transaction, userId, ids, tag);
      await requireFewTags(transaction, userId, added);
      return added;
    });
    if (changed.length > 0) this.creationEvents.creationsChanged(userId, changed);
    return changed;
  }
}

/**
 * Adds a tag to creations. Callers must hold a transaction with the user's row locked.
 * @returns ids of the creations that did not have the tag before
 */
export const addTag = (
  transaction: Transaction,
  userId: string,
  ids: string[],
  tag: string,
): Promise<string[]> =>
  idsOf(
    transaction,
    // FOR SHARE, so that the creations cannot be deleted before their tag is stored.
    `WITH chosen AS (
       SELECT id, type, created_at FROM creations
       WHERE user_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR SHARE)
     INSERT INTO creation_tags (creation_id, tag, user_id, type, created_at)
     SELECT id, $3, $1, type, created_at FROM chosen
     ON CONFLICT DO NOTHING RETURNING creation_id`,
    [userId, ids, tag],
  );

/** @returns ids of the creations that had the tag before */
export const removeTag = (
  database: Database,
  userId: string,
  ids: string[],
  tag: string,
): Promise<string[]> =>
  idsOf(
    database,
    `DELETE FROM creation_tags
     WHERE user_id = $1 AND NOT is_deleted AND creation_id = ANY ($2) AND tag = $3 RETURNING creation_id`,
    [userId, ids, tag],
  );

async function idsOf(database: Database, text: string, parameters: unknown[]): Promise<string[]> {
  const rows = await queryColumns(database, CreationTagEntity, ['creationId'], text, parameters);
  return rows.map(({ creationId }) => creationId);
}

async function requireFewTags(transaction: Transaction, userId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const full = await execute(
    transaction,
    `SELECT FROM creation_tags WHERE creation_id = ANY ($1) AND tag <> $2
     GROUP BY creation_id HAVING count(*) > ${MAX_TAGS} LIMIT 1`,
    [ids, FAVOURITE_TAG],
  );
  if (full > 0) throw tooMany(`A creation has at most ${MAX_TAGS} tags. Remove one first.`);
  if ((await readTags(transaction, userId)).length > MAX_TAGS_OF_USER)
    throw tooMany(`You have ${MAX_TAGS_OF_USER} different tags, the most there can be. Use one of them.`);
}

const tooMany = (message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [{ field: 'tag', message }] });

/**
 * A user's distinct tags in alphabetical order. Uses a loose index scan: reads one index entry per tag instead of one
 * per creation.
 */
export async function readTags(database: Database, userId: string): Promise<string[]> {
  const next = (after: string) =>
    `(SELECT min(tag) FROM creation_tags WHERE user_id = $1 AND is_deleted = false AND tag > ${after})`;
  const rows = await queryRows(
    database,
    tagSchema,
    `WITH RECURSIVE found AS (
       SELECT ${next(`''`)} AS tag
       UNION ALL
       SELECT ${next('found.tag')} FROM found WHERE tag IS NOT NULL)
     SELECT tag FROM found WHERE tag IS NOT NULL AND tag <> $2 LIMIT ${MAX_TAGS_OF_USER + 1}`,
    [userId, FAVOURITE_TAG],
  );
  return rows.map(({ tag }) => tag);
}
