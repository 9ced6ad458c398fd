import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Identity } from '#libs/accounts/identity.js';
import { hasSecondFactor } from '#libs/accounts/second-factor.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { AdminSessionEntity, UserEntity } from '#libs/database/entities/users.js';
import { execute } from '#libs/database/sql.js';

export const SESSION_MINUTES = 30;

/**
 * Browser sessions of operators. Browsers send no bearer token when they open a page, so the secret is in a cookie, and
 * its hash in the database. A session ends when it expires, or at once if the user loses the admin role.
 */
@Injectable()
export class AdminSessions {
  private readonly needsSecondFactor: boolean;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) { accounts }: Config,
  ) {
    this.needsSecondFactor = accounts.kind === 'local' && accounts.twoFactorFor === 'operators';
  }

  /**
   * @returns secret for the cookie
   * @throws AppError FORBIDDEN if the user is no operator; TWO_FACTOR_REQUIRED if the operator signed in with only a
   *   password
   */
  async open({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>): Promise<string> {
    await execute(this.dataSource, `DELETE FROM admin_sessions WHERE expires_at < now()`);
    const user = await this.dataSource.getRepository(UserEntity).findOneBy({ id: userId, role: 'admin' });
    if (!user) throw new AppError('FORBIDDEN', OPERATORS_ONLY);
    if (this.needsSecondFactor && !(await hasSecondFactor(this.dataSource, sessionId)))
      throw new AppError('TWO_FACTOR_REQUIRED', SECOND_FACTOR_NEEDED);
    const secret = randomBytes(32).toString('base64url');
    const opened = await execute(
      this.dataSource,
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at)
       SELECT $1, id, now() + make_interval(mins => $3) FROM users WHERE id = $2 AND role = 'admin'`,
      [hashOf(secret), userId, SESSION_MINUTES],
    );
    if (opened === 0) throw new AppError('FORBIDDEN', OPERATORS_ONLY);
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

const OPERATORS_ONLY = 'This is for operators only.';
const SECOND_FACTOR_NEEDED =
  'Operators need a second factor here. Set up an authenticator app in your account, or sign in with a passkey.';

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
