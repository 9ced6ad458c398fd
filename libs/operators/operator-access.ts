import type { Identity } from '#libs/accounts/identity.js';
import { hasSecondFactor } from '#libs/accounts/second-factor.js';
import { AppError } from '#libs/contract/errors.js';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Database } from '#libs/database/sql.js';

/** Decides who may act as an operator on the page. */
export class OperatorAccess {
  constructor(
    private readonly database: Database,
    private readonly needsSecondFactor: boolean,
  ) {}

  /**
   * @throws AppError FORBIDDEN if the user is no operator; TWO_FACTOR_REQUIRED if the operator signed in with only a
   *   password
   */
  async require({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>): Promise<OperatorIdentity> {
    const user = await this.database.getRepository(UserEntity).findOneBy({ id: userId, role: 'admin' });
    if (!user) throw new AppError('FORBIDDEN', OPERATORS_ONLY);
    if (this.needsSecondFactor && !(await hasSecondFactor(this.database, sessionId)))
      throw new AppError('TWO_FACTOR_REQUIRED', SECOND_FACTOR_NEEDED);
    return { name: user.email ?? userId, userId };
  }
}

export const OPERATORS_ONLY = 'This is for operators only.';
const SECOND_FACTOR_NEEDED =
  'Operators need a second factor here. Set up an authenticator app in your account, or sign in with a passkey.';
