import type { Plan } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { execute, queryColumns, type Database } from '#libs/database/sql.js';
import type { Identity } from './identity.js';
import { requireActive } from './suspension.js';

export type User = Pick<UserEntity, (typeof PROPERTIES)[number]>;

/** Milliseconds for which a process skips further writes of a user's row. */
const CACHE_MS = 30_000;
/** The same while the process may miss that a user was suspended or deleted. */
const CACHE_WITHOUT_EVENTS_MS = 2_000;
const CACHE_MAX_USERS = 10_000;

/** Stores users of a hosted provider (Clerk). */
export interface HostedUsers {
  /** Creates or updates the row of a token's user. @returns true if the user's open pages must be updated */
  ensureUser(identity: Identity): Promise<boolean>;
}

const PROPERTIES = [
  'id',
  'name',
  'email',
  'imageUrl',
  'plan',
  'role',
] as const satisfies (keyof UserEntity)[];

/** The `users` table. A user's row is created by the first request with a valid token. */
export class Users {
  private readonly cache = new Map<string, { claims: string; issuedAt: number; at: number }>();
  private isReceivingEvents = () => true;

  /** @param onChange called if a token changed the user's plan */
  constructor(
    private readonly dataSource: Database,
    private readonly accounts: 'local' | HostedUsers,
    private readonly now: () => number = Date.now,
    private readonly onChange: (userId: string) => Promise<void> = async () => undefined,
  ) {}

  /**
   * Creates or updates the row of a token's user. Skipped if this process recently did so for a token with the same claims
   * that was issued at the same time or later.
   * @throws AppError `UNAUTHENTICATED` if the account was deleted (its token may still be valid); `ACCOUNT_SUSPENDED`
   */
  async ensureUser(identity: Identity): Promise<void> {
    const { userId, name, email, imageUrl, plans, issuedAt } = identity;
    const claims = JSON.stringify([name, email, imageUrl, plans]);
    const cached = this.cache.get(userId);
    if (cached?.claims === claims && cached.issuedAt >= issuedAt && cached.at + this.cacheMs > this.now())
      return;
    try {
      if (this.accounts === 'local') await this.refresh(userId);
      else if (await this.accounts.ensureUser(identity)) await this.onChange(userId);
      await requireActive(this.dataSource, userId);
    } catch (error) {
      this.forget(userId);
      throw error;
    }
    this.addToCache(userId, claims, issuedAt);
  }

  /**
   * Copies name, email and picture of a local account to the user's row. Reads them from the account's table instead of the
   * token, which may be minutes old.
   * @throws AppError `UNAUTHENTICATED` if there is no such account
   */
  async refresh(userId: string): Promise<void> {
    const copied = await execute(
      this.dataSource,
      `UPDATE users SET name = account."name", email = account."email", image_url = account."image",
         picture_key = CASE WHEN account."image" LIKE '%/files/' || users.picture_key THEN users.picture_key END,
         updated_at = CASE WHEN (users.name, users.email, users.image_url)
                                  IS DISTINCT FROM (account."name", account."email", account."image")
                      THEN now() ELSE users.updated_at END
       FROM auth_users account WHERE account."id" = $1 AND users.id = $1`,
      [userId],
    );
    // Locks the account, to wait for a concurrent deletion. Otherwise the insert could create a deleted user again.
    const written =
      copied ||
      (await execute(
        this.dataSource,
        `INSERT INTO users (id, name, email, image_url)
         SELECT "id", "name", "email", "image" FROM auth_users WHERE "id" = $1 FOR KEY SHARE
         ON CONFLICT (id) DO UPDATE SET email = excluded.email`,
        [userId],
      ));
    if (written === 0)
      throw new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in with another one.');
  }

  /** Removes a deleted or suspended user from the cache, so the next call with the user's token fails. */
  forget(userId: string): void {
    this.cache.delete(userId);
  }

  /** Sets how to know whether this process receives events of suspensions and deletions now. Default: it always does. */
  receiveEventsWhile(isReceiving: () => boolean): void {
    this.isReceivingEvents = isReceiving;
  }

  /** Clears the cache. Call it when events about deletions may have been missed. */
  forgetAll(): void {
    this.cache.clear();
  }

  /**
   * Finds a user by id or by email, ignoring case. Creates the row of a local account that has signed up but has not yet
   * called the API.
   * @throws AppError `NOT_FOUND`; `VALIDATION_FAILED` if several users have this email
   */
  async findUser(idOrEmail: string): Promise<User> {
    const found = await this.read(idOrEmail);
    if (found) return found;
    if (this.accounts === 'local') {
      const [created] = await queryColumns(
        this.dataSource,
        UserEntity,
        [...PROPERTIES],
        `INSERT INTO users (id, name, email, image_url)
         SELECT "id", "name", "email", "image" FROM auth_users
         WHERE "id" = $1 OR lower("email") = lower($1) FOR KEY SHARE
         ON CONFLICT (id) DO UPDATE SET email = excluded.email
         RETURNING *`,
        [idOrEmail],
      );
      if (created) return created;
    }
    throw new AppError('NOT_FOUND', `There is no user with the id or email "${idOrEmail}".`);
  }

  /**
   * Sets the plan of a user given by id or email, and records the change.
   * @param source who changes the plan
   * @throws AppError as {@link findUser}
   */
  async setPlan(idOrEmail: string, plan: Plan, source: 'user' | 'operator' = 'operator'): Promise<User> {
    return this.update(
      idOrEmail,
      `WITH before AS (SELECT id, plan FROM users WHERE id = $1 FOR NO KEY UPDATE),
         changed AS (UPDATE users SET plan = $2, updated_at = now() FROM before WHERE users.id = before.id RETURNING users.*),
         recorded AS (
           INSERT INTO plan_changes (user_id, plan, source) SELECT id, $2, $3 FROM before WHERE plan <> $2)
       SELECT * FROM changed`,
      [plan, source],
    );
  }

  /** Grants or revokes the operator's role. @throws AppError as {@link findUser} */
  async setRole(idOrEmail: string, role: User['role']): Promise<User> {
    return this.update(
      idOrEmail,
      `UPDATE users SET role = $2, updated_at = now() WHERE id = $1 RETURNING *`,
      [role],
    );
  }

  private async update(idOrEmail: string, statement: string, values: string[]): Promise<User> {
    const { id } = await this.findUser(idOrEmail);
    const [updated] = await queryColumns(this.dataSource, UserEntity, [...PROPERTIES], statement, [
      id,
      ...values,
    ]);
    if (!updated) throw new AppError('NOT_FOUND', `The user "${idOrEmail}" was just deleted.`);
    return updated;
  }

  private async read(idOrEmail: string): Promise<User | undefined> {
    const found = await queryColumns(
      this.dataSource,
      UserEntity,
      [...PROPERTIES],
      `SELECT * FROM users WHERE id = $1 OR lower(email) = lower($1) ORDER BY (id = $1) DESC LIMIT 2`,
      [idOrEmail],
    );
    if (found.length > 1 && found[0]?.id !== idOrEmail) {
      throw new AppError('VALIDATION_FAILED', `Several users have the email "${idOrEmail}". Name one by ID.`);
    }
    return found[0];
  }

  private get cacheMs(): number {
    return this.isReceivingEvents() ? CACHE_MS : CACHE_WITHOUT_EVENTS_MS;
  }

  private addToCache(userId: string, claims: string, issuedAt: number): void {
    this.cache.delete(userId);
    this.cache.set(userId, { claims, issuedAt, at: this.now() });
    const [oldest] = this.cache.keys();
    if (this.cache.size > CACHE_MAX_USERS && oldest !== undefined) this.cache.delete(oldest);
  }
}
