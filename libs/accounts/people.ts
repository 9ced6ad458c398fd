import type { DataSource } from 'typeorm';
import type { Plan, Role } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { row, rows } from '#libs/database/sql.js';
import type { Identity } from './identity.js';

export interface Person {
  id: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  plan: Plan;
  role: Role;
}

/** Milliseconds for which a person seen by this process is not written again, and how many are remembered. */
const REMEMBER_FOR = 30_000;
const REMEMBER_AT_MOST = 10_000;

/** What a hosted provider's tokens say of people, taken over into our tables. */
export interface HostedPeople {
  /** Makes sure of a row for the bearer of a token; true when that changed what open pages show. */
  seen(identity: Identity): Promise<boolean>;
}

const columns = 'id, name, email, image_url AS "imageUrl", plan, role';

/** The people who use this server: one row for everybody who ever called with a valid token. */
export class People {
  readonly #seen = new Map<string, { told: string; issuedAt: number; until: number }>();

  /**
   * @param accounts where people's accounts are
   * @param now milliseconds since 1970
   * @param onChange hears of people whose plan a token changed
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: 'local' | HostedPeople,
    private readonly now: () => number = Date.now,
    private readonly onChange: (personId: string) => Promise<void> = async () => undefined,
  ) {}

  /**
   * Makes sure that the caller has a row that is up to date. Costs nothing for a person whom this process saw a moment
   * ago with a token that says the same and is no older.
   * @throws AppError `UNAUTHENTICATED` when the account was deleted while its token was still good.
   */
  async ensurePerson(identity: Identity): Promise<void> {
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
   * Takes a local account's name, email and picture over into the person's row. The account is read rather than a
   * token, which says for minutes what was true when it was made.
   * @throws AppError `UNAUTHENTICATED` when there is no such account
   */
  async refresh(userId: string): Promise<void> {
    const written = await row(
      this.dataSource,
      `INSERT INTO people (id, name, email, image_url)
       SELECT "id", "name", "email", "image" FROM auth_users WHERE "id" = $1
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email, image_url = excluded.image_url,
         picture_key = CASE WHEN excluded.image_url LIKE '%/files/' || people.picture_key THEN people.picture_key END,
         updated_at = CASE WHEN (people.name, people.email, people.image_url)
                                  IS DISTINCT FROM (excluded.name, excluded.email, excluded.image_url)
                      THEN now() ELSE people.updated_at END
       RETURNING id`,
      [userId],
    );
    if (!written)
      throw new AppError(
        'UNAUTHENTICATED',
        'This account does not exist any more. Sign in with another one.',
      );
  }

  /** To be called when a person was deleted: the next call with the old token looks into the table again. */
  forget(userId: string): void {
    this.#seen.delete(userId);
  }

  /**
   * Finds a person by id or email, in any case of letters. With local accounts also somebody who signed up and never
   * called: the row is made then.
   * @throws AppError `NOT_FOUND` for nobody, `VALIDATION_FAILED` for an email that several people have.
   */
  async findPerson(idOrEmail: string): Promise<Person> {
    const found = await this.#read(idOrEmail);
    if (found) return found;
    if (this.accounts === 'local') {
      const made = await row<Person>(
        this.dataSource,
        `INSERT INTO people (id, name, email, image_url)
         SELECT "id", "name", "email", "image" FROM auth_users WHERE "id" = $1 OR lower("email") = lower($1)
         ON CONFLICT (id) DO UPDATE SET email = excluded.email
         RETURNING ${columns}`,
        [idOrEmail],
      );
      if (made) return made;
    }
    throw new AppError('NOT_FOUND', `There is nobody with the id or email "${idOrEmail}".`);
  }

  /** Sets the plan of a person given by id or email. @throws AppError as {@link findPerson} does. */
  async setPlan(idOrEmail: string, plan: Plan): Promise<Person> {
    return this.#update(idOrEmail, 'plan', plan);
  }

  /** Makes a person an operator, or takes that back. @throws AppError as {@link findPerson} does. */
  async setRole(idOrEmail: string, role: Person['role']): Promise<Person> {
    return this.#update(idOrEmail, 'role', role);
  }

  async #update(idOrEmail: string, column: 'plan' | 'role', value: string): Promise<Person> {
    const { id } = await this.findPerson(idOrEmail);
    const updated = await row<Person>(
      this.dataSource,
      `UPDATE people SET ${column} = $2, updated_at = now() WHERE id = $1 RETURNING ${columns}`,
      [id, value],
    );
    if (!updated) throw new AppError('NOT_FOUND', `The person "${idOrEmail}" was deleted a moment ago.`);
    return updated;
  }

  async #read(idOrEmail: string): Promise<Person | undefined> {
    const found = await rows<Person>(
      this.dataSource,
      `SELECT ${columns} FROM people WHERE id = $1 OR lower(email) = lower($1) ORDER BY (id = $1) DESC LIMIT 2`,
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
