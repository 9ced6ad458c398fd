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

const columns = 'id, name, email, image_url AS "imageUrl", plan, role';

/** The people who use this server: one row for everybody who ever called with a valid token. */
export class People {
  readonly #seen = new Map<string, { profile: string; until: number }>();

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: 'local' | 'clerk',
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Makes sure that the caller has a row that says what the token says. Costs nothing for a person whom this process
   * saw a moment ago with the same name, email and picture.
   * @throws AppError `UNAUTHENTICATED` when the account was deleted while its token was still good.
   */
  async ensurePerson(identity: Identity): Promise<void> {
    const { userId, name, email, imageUrl } = identity;
    const profile = JSON.stringify([name, email, imageUrl]);
    const seen = this.#seen.get(userId);
    if (seen && seen.profile === profile && seen.until > this.now()) return;
    const written = await row<{ id: string }>(
      this.dataSource,
      `INSERT INTO people (id, name, email, image_url)
       SELECT $1, $2, $3, $4 ${this.accounts === 'local' ? 'WHERE EXISTS (SELECT FROM auth_users WHERE "id" = $1)' : ''}
       ON CONFLICT (id) DO UPDATE SET name = $2, email = $3, image_url = $4,
         updated_at = CASE WHEN (people.name, people.email, people.image_url) IS DISTINCT FROM ($2, $3, $4)
                      THEN now() ELSE people.updated_at END
       RETURNING id`,
      [userId, name, email, imageUrl],
    );
    if (!written) {
      this.forget(userId);
      throw new AppError(
        'UNAUTHENTICATED',
        'This account does not exist any more. Sign in with another one.',
      );
    }
    this.#remember(userId, profile);
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

  #remember(userId: string, profile: string): void {
    this.#seen.delete(userId);
    this.#seen.set(userId, { profile, until: this.now() + REMEMBER_FOR });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBER_AT_MOST && oldest !== undefined) this.#seen.delete(oldest);
  }
}
