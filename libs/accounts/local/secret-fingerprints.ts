import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { AppError } from '#libs/contract/errors.js';
import { queryRow, type Database } from '#libs/database/sql.js';
import { SIGN_OUT_ALL } from '../sign-out.js';
import type { AuthSecrets } from './secrets.js';

const fingerprintOf = (secret: string): string =>
  createHmac('sha256', secret).update('pressroom auth secret').digest('hex');

/**
 * Ends all sessions if AUTH_SECRET is new and AUTH_SECRET_PREVIOUS is not the one before it. Sessions of programs have no
 * signed cookie, so they would outlive the change.
 * @param connection in a transaction that holds a lock of all programs
 * @param hasUnreadableKeys true if there are signing keys of another secret, which shows a change before the first fingerprint
 * @returns the ended sessions; null if none had to end
 * @throws ConfigurationError if other programs have a newer secret: what these encrypt, such as the signing keys, is unreadable
 */
export async function endSessionsOfOtherSecret(
  connection: pg.PoolClient,
  { current, previous }: AuthSecrets,
  hasUnreadableKeys: boolean,
): Promise<{ id: string; userId: string }[] | null> {
  const { rows } = await connection.query<{ fingerprint: string }>(
    `SELECT fingerprint FROM auth_secret_fingerprints ORDER BY added_at DESC`,
  );
  const used = rows.map(({ fingerprint }) => fingerprint);
  const fingerprint = fingerprintOf(current);
  if (used[0] === fingerprint) return null;
  const isRotation = previous !== null && used[0] === fingerprintOf(previous);
  if (!isRotation && used.includes(fingerprint)) throw new ConfigurationError(OLDER_SECRET);
  await connection.query(
    `INSERT INTO auth_secret_fingerprints (fingerprint) VALUES ($1)
     ON CONFLICT (fingerprint) DO UPDATE SET added_at = clock_timestamp()`,
    [fingerprint],
  );
  if (isRotation || (used.length === 0 && !hasUnreadableKeys)) return null;
  const { rows: ended } = await connection.query<{ id: string; userId: string }>(
    `DELETE FROM auth_sessions RETURNING "id", "userId"`,
  );
  for (const statement of SIGN_OUT_ALL) await connection.query(statement);
  return ended;
}

/** @throws AppError if another secret is the newest that programs have: they could not read what is encrypted with this one */
export async function requireNewestSecret(database: Database, secret: string): Promise<void> {
  const newest = await queryRow(
    database,
    z.object({ fingerprint: z.string() }),
    `SELECT fingerprint FROM auth_secret_fingerprints ORDER BY added_at DESC LIMIT 1`,
  );
  if (newest && newest.fingerprint !== fingerprintOf(secret))
    throw new AppError(
      'VALIDATION_FAILED',
      'The apis have another AUTH_SECRET. Set it as they have it, or replace the apis first, so that they can read what is encrypted.',
    );
}

const OLDER_SECRET = `AUTH_SECRET was replaced by a newer one, with which a program has started on this database.
Give the newer one to AUTH_SECRET. To go back to this one, give the newer one to AUTH_SECRET_PREVIOUS. If it is lost, give a secret to AUTH_SECRET that was never used, which ends all sessions.`;
