import type { Account, Plan, Role } from '#libs/contract/account.js';
import { row, type Database } from '#libs/database/sql.js';
import { monthOf, toCredits, type MonthBalance } from './credits.js';

interface PersonRow extends MonthBalance {
  plan: Plan;
  role: Role;
  name: string;
  email: string | null;
  image_url: string | null;
}

/** A person's plan, credits and profile as they stand now; undefined for nobody. */
export async function readAccount(database: Database, personId: string): Promise<Account | undefined> {
  const month = monthOf(new Date());
  const person = await row<PersonRow>(
    database,
    `SELECT plan, role, name, email, image_url, granted, balance
     FROM people LEFT JOIN credit_balances ON person_id = people.id AND month = $2 WHERE people.id = $1`,
    [personId, month],
  );
  if (!person) return undefined;
  return {
    plan: person.plan,
    role: person.role,
    credits: toCredits(person, person.plan, month),
    profile: { id: personId, fullName: person.name, email: person.email, imageUrl: person.image_url },
  };
}
