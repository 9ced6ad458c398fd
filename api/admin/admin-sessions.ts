import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { AdminSessionEntity, UserEntity } from '#libs/database/entities/users.js';
import { execute } from '#libs/database/sql.js';

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
    await execute(this.dataSource, `DELETE FROM admin_sessions WHERE expires_at < now()`);
    const secret = randomBytes(32).toString('base64url');
    const opened = await execute(
      this.dataSource,
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at)
       SELECT $1, id, now() + make_interval(mins => $3) FROM users WHERE id = $2 AND role = 'admin'`,
      [hashOf(secret), userId, SESSION_MINUTES],
    );
    if (opened === 0) throw new AppError('FORBIDDEN', 'This is for operators only.');
    return secret;
  }

  /** The operator whose session it is; undefined for any other secret. */
  async find(secret: string): Promise<string | undefined> {
    const session = await this.dataSource
      .getRepository(AdminSessionEntity)
      .createQueryBuilder('session')
      .innerJoin(UserEntity, 'user', `user.id = session.userId AND user.role = 'admin'`)
      .where('session.tokenHash = :hash AND session.expiresAt > now()', { hash: hashOf(secret) })
      .getOne();
    return session?.userId;
  }

  async close(userId: string): Promise<void> {
    await this.dataSource.getRepository(AdminSessionEntity).delete({ userId });
  }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
