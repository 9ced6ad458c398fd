import { z } from 'zod';
import {
  adminUserDetailsSchema,
  adminUserSchema,
  type AdminUser,
  type AdminUserDetails,
} from '#libs/contract/admin.js';
import type { Plan } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import type { Prices } from '#libs/config/prices.js';
import { readAccount } from '#libs/billing/account.js';
import { readSubscription } from '#libs/billing/stripe/read-subscription.js';
import type { StorageQuota } from '#libs/billing/storage-quota.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { isoTime, queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { readAuditLog } from '#libs/audit/audit-log.js';

export interface UserFilter {
  /** Part of name, email or id. */
  search?: string | undefined;
  plan?: Plan | undefined;
  suspended?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
}

const rowSchema = adminUserSchema.extend({ createdAt: isoTime, suspendedAt: isoTime.nullable() });

/** Users, the newest first. @throws AppError VALIDATION_FAILED if the cursor is invalid */
export async function listUsers(
  database: Database,
  { search, plan, suspended, cursor, limit }: UserFilter,
): Promise<{ users: AdminUser[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor, z.string().max(200));
  const rows = await queryRows(
    database,
    rowSchema,
    `SELECT id, name, email, plan, role, date_trunc('milliseconds', created_at) AS "createdAt", suspended_at AS "suspendedAt",
       (SELECT count(*)::integer FROM creations WHERE user_id = users.id AND deleted_at IS NULL) AS creations
     FROM users
     WHERE ($1::text IS NULL OR position(lower($1) IN lower(concat_ws(' ', name, email, id))) > 0)
       AND ($2::text IS NULL OR plan = $2) AND ($3::boolean IS NULL OR (suspended_at IS NOT NULL) = $3)
       AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::text))
     ORDER BY date_trunc('milliseconds', created_at) DESC, id DESC LIMIT $6::integer + 1`,
    [search ?? null, plan ?? null, suspended ?? null, after?.time ?? null, after?.id ?? null, limit],
  );
  const users = rows.slice(0, limit);
  const last = users.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(new Date(last.createdAt), last.id) : null;
  return { users, nextCursor };
}

/** @throws AppError NOT_FOUND */
export async function readUserDetails(
  database: Database,
  userId: string,
  quota: StorageQuota,
  prices: Prices,
): Promise<AdminUserDetails> {
  const account = await readAccount(database, userId, quota, prices);
  const facts = await queryRow(database, factsSchema, FACTS, [userId]);
  if (!account || !facts) throw userNotFound(userId);
  const subscription = await readSubscription(database, userId);
  const planChanges = await queryRows(database, planChangeSchema, PLAN_CHANGES, [userId]);
  const audit = await readAuditLog(database, { target: userId, limit: 50 });
  return { ...account, ...facts, subscription, planChanges, audit };
}

export const userNotFound = (id: string) =>
  new AppError('NOT_FOUND', `There is no user with the id "${id}".`);

const factsSchema = adminUserDetailsSchema
  .pick({
    suspendedReason: true,
    creations: true,
    published: true,
    jobs: true,
    sessions: true,
    keys: true,
  })
  .extend({ createdAt: isoTime, suspendedAt: isoTime.nullable() });

const planChangeSchema = adminUserDetailsSchema.shape.planChanges.element.extend({ at: isoTime });
const PLAN_CHANGES = `
  SELECT plan, source, note, created_at AS at FROM plan_changes WHERE user_id = $1 ORDER BY id DESC LIMIT 50`;

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const FACTS = `
  SELECT created_at AS "createdAt", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
    (SELECT count(*)::integer FROM creations WHERE user_id = users.id AND deleted_at IS NULL) AS creations,
    (SELECT count(*)::integer FROM creations WHERE user_id = users.id AND deleted_at IS NULL AND published) AS published,
    (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (
       SELECT status, count(*) AS n FROM jobs WHERE user_id = users.id GROUP BY status) AS counted) AS jobs,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', ${iso('"createdAt"')},
         'userAgent', "userAgent", 'method', method) ORDER BY "createdAt" DESC), '[]')
       FROM auth_sessions WHERE "userId" = users.id AND "expiresAt" > now()) AS sessions,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'scopes', scopes, 'createdAt', ${iso('created_at')},
         'lastUsedAt', ${iso('last_used_at')}) ORDER BY created_at DESC), '[]')
       FROM api_keys WHERE user_id = users.id AND revoked_at IS NULL) AS keys
  FROM users WHERE id = $1`;
