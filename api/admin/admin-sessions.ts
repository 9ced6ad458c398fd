import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { row, rows } from '#libs/database/sql.js';

/** Minutes that a browser may look at the queue board before it has to be let in again. */
export const SESSION_MINUTES = 30;

/**
 * Lets the browsers of operators in to pages, which are asked for without a bearer token. The secret is in a cookie,
 * its hash in the database; both end soon, and at once when the user is no operator any more.
 */
@Injectable()
export class AdminSessions {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns the secret for the cookie. @throws AppError FORBIDDEN for whoever is no operator */
  async open(userId: string): Promise<string> {
    await rows(this.dataSource, `DELETE FROM admin_sessions WHERE expires_at < now()`);
    const secret = randomBytes(32).toString('base64url');
    const opened = await row(
      this.dataSource,
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at)
       SELECT $1, id, now() + make_interval(mins => $3) FROM users WHERE id = $2 AND role = 'admin'
       RETURNING user_id`,
      [hashOf(secret), userId, SESSION_MINUTES],
    );
    if (!opened) throw new AppError('FORBIDDEN', 'This is for operators only.');
    return secret;
  }

  /** The operator whose session it is; undefined for any other secret. */
  async find(secret: string): Promise<string | undefined> {
    const found = await row<{ id: string }>(
      this.dataSource,
      `SELECT p.id FROM admin_sessions s JOIN users p ON p.id = s.user_id
       WHERE s.token_hash = $1 AND s.expires_at > now() AND p.role = 'admin'`,
      [hashOf(secret)],
    );
    return found?.id;
  }

  async close(userId: string): Promise<void> {
    await rows(this.dataSource, `DELETE FROM admin_sessions WHERE user_id = $1`, [userId]);
  }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
