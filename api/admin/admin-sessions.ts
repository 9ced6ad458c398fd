import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Identity } from '#libs/accounts/identity.js';
import { addAuditEntry } from '#libs/audit/audit-log.js';
import { AppError } from '#libs/contract/errors.js';
import { AdminSessionEntity, UserEntity } from '#libs/database/entities/users.js';
import { execute } from '#libs/database/sql.js';
import { OperatorAccess, OPERATORS_ONLY } from '#libs/operators/operator-access.js';

export const SESSION_MINUTES = 30;

/**
 * Browser sessions of operators. Browsers send no bearer token when they open a page, so the secret is in a cookie, and
 * its hash in the database. A session ends when it expires, or at once if the user loses the admin role.
 */
@Injectable()
export class AdminSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly operators: OperatorAccess,
  ) {}

  /** @returns secret for the cookie. @throws AppError as {@link OperatorAccess.require} */
  async open({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>): Promise<string> {
    const operator = await this.operators.require({ userId, sessionId });
    await execute(this.dataSource, `DELETE FROM admin_sessions WHERE expires_at < now()`);
    const secret = randomBytes(32).toString('base64url');
    await this.dataSource.transaction(async (transaction) => {
      const opened = await execute(
        transaction,
        `INSERT INTO admin_sessions (token_hash, user_id, expires_at)
         SELECT $1, id, now() + make_interval(mins => $3) FROM users WHERE id = $2 AND role = 'admin'`,
        [hashOf(secret), userId, SESSION_MINUTES],
      );
      if (opened === 0) throw new AppError('FORBIDDEN', OPERATORS_ONLY);
      await addAuditEntry(transaction, { operator, action: 'queue.open-board', target: 'all' });
    });
    return secret;
  }

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
