import type { DataSource } from 'typeorm';
import type { Plan, Role } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { row, rows } from '#libs/database/sql.js';
import type { Identity } from './identity.js';

export interface User {
  id: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  plan: Plan;
  role: Role;
}

/** Milliseconds for which a user seen by this process is not written again, and how many are remembered. */
const REMEMBER_FOR = 30_000;
const REMEMBER_AT_MOST = 10_000;

/** What a hosted provider's tokens say of users, taken over into our tables. */
export interface HostedUsers {
  /** Makes sure of a row for the bearer of a token; true when that changed what open pages show. */
  seen(identity: Identity): Promise<boolean>;
}

const columns = 'id, name, email, image_url AS "imageUrl", plan, role';

/** The users who use this server: one row for everybody who ever called with a valid token. */
export class Users {
  readonly #seen = new Map<string, { told: string; issuedAt: number; until: number }>();

  /**
   * @param accounts where users's accounts are
   * @param now milliseconds since 1970
   * @param onChange hears of users whose plan a token changed
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: 'local' | HostedUsers,
    private readonly now: () => number = Date.now,
    private readonly onChange: (userId: string) => Promise<void> = async () => undefined,
  ) {}

  /**
   * Makes sure that the caller has a row that is up to date. Costs nothing for a user whom this process saw a moment
   * ago with a token that says the same and is no older.
   * @throws AppError `UNAUTHENTICATED` when the account was deleted while its token was still good.
   */
  async ensureUser(identity: Identity): Promise<void> {
    const { userId, name, email, imageUrl, plans, issuedAt } = identity;
    const told = JSON.stringify([name, email, imageUrl, plans]);
    const seen = this.#seen.get(userId);
    if (seen?.told === told && seen.issuedAt >= issuedAt && seen.until > this.now()) return;
    try {
      if (this.accounts === 'local') await this.refresh(userId);
      else if (await this.accounts.seen(identity)) await this.onChange(userId);
    } catch (error) {
      this.forget(userId);
      throw error;
    }
    this.#remember(userId, told, issuedAt);
  }

  /**
   * Takes a local account's name, email and picture over into the user's row. The account is read rather than a
   * token, which says for minutes what was true when it was made.
   * @throws AppError `UNAUTHENTICATED` when there is no such account
   */
  async refresh(userId: string): Promise<void> {
    const written = await row(
      this.dataSource,
      `INSERT INTO users (id, name, email, image_url)
       SELECT "id", "name", "email", "image" FROM auth_users WHERE "id" = $1
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email, image_url = excluded.image_url,
         picture_key = CASE WHEN excluded.image_url LIKE '%/files/' || users.picture_key THEN users.picture_key END,
         updated_at = CASE WHEN (users.name, users.email, users.image_url)
                                  IS DISTINCT FROM (excluded.name, excluded.email, excluded.image_url)
                      THEN now() ELSE users.updated_at END
       RETURNING id`,
      [userId],
    );
    if (!written)
      throw new AppError(
        'UNAUTHENTICATED',
        'This account does not exist any more. Sign in with another one.',
      );
  }

  /** To be called when a user was deleted: the next call with the old token looks into the table again. */
  forget(userId: string): void {
    this.#seen.delete(userId);
  }

  /**
   * Finds a user by id or email, in any case of letters. With local accounts also somebody who signed up and never
   * called: the row is made then.
   * @throws AppError `NOT_FOUND` for nobody, `VALIDATION_FAILED` for an email that several users have.
   */
  async findUser(idOrEmail: string): Promise<User> {
    const found = await this.#read(idOrEmail);
    if (found) return found;
    if (this.accounts === 'local') {
      const made = await row<User>(
        this.dataSource,
        `INSERT INTO users (id, name, email, image_url)
         SELECT "id", "name", "email", "image" FROM auth_users WHERE "id" = $1 OR lower("email") = lower($1)
         ON CONFLICT (id) DO UPDATE SET email = excluded.email
         RETURNING ${columns}`,
        [idOrEmail],
      );
      if (made) return made;
    }
    throw new AppError('NOT_FOUND', `There is nobody with the id or email "${idOrEmail}".`);
  }

  /** Sets the plan of a user given by id or email. @throws AppError as {@link findUser} does. */
  async setPlan(idOrEmail: string, plan: Plan): Promise<User> {
    return this.#update(idOrEmail, 'plan', plan);
  }

  /** Makes a user an operator, or takes that back. @throws AppError as {@link findUser} does. */
  async setRole(idOrEmail: string, role: User['role']): Promise<User> {
    return this.#update(idOrEmail, 'role', role);
  }

  async #update(idOrEmail: string, column: 'plan' | 'role', value: string): Promise<User> {
    const { id } = await this.findUser(idOrEmail);
    const updated = await row<User>(
      this.dataSource,
      `UPDATE users SET ${column} = $2, updated_at = now() WHERE id = $1 RETURNING ${columns}`,
      [id, value],
    );
    if (!updated) throw new AppError('NOT_FOUND', `The person "${idOrEmail}" was deleted a moment ago.`);
    return updated;
  }

  async #read(idOrEmail: string): Promise<User | undefined> {
    const found = await rows<User>(
      this.dataSource,
      `SELECT ${columns} FROM users WHERE id = $1 OR lower(email) = lower($1) ORDER BY (id = $1) DESC LIMIT 2`,
      [idOrEmail],
    );
    if (found.length > 1 && found[0]?.id !== idOrEmail) {
      throw new AppError(
        'VALIDATION_FAILED',
        `Several people have the email "${idOrEmail}". Name one by its id.`,
      );
    }
    return found[0];
  }

  #remember(userId: string, told: string, issuedAt: number): void {
    this.#seen.delete(userId);
    this.#seen.set(userId, { told, issuedAt, until: this.now() + REMEMBER_FOR });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBER_AT_MOST && oldest !== undefined) this.#seen.delete(oldest);
  }
}
