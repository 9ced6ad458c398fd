import type { Account, Plan, Role } from '#libs/contract/account.js';
import { row, type Database } from '#libs/database/sql.js';
import { readCredits } from './credits.js';

interface PersonRow {
  plan: Plan;
  role: Role;
  name: string;
  email: string | null;
  image_url: string | null;
}

/** A person's plan, credits and profile as they stand now; undefined for nobody. */
export async function readAccount(database: Database, personId: string): Promise<Account | undefined> {
  const person = await row<PersonRow>(
    database,
    `SELECT plan, role, name, email, image_url FROM people WHERE id = $1`,
    [personId],
  );
  if (!person) return undefined;
  return {
    plan: person.plan,
    role: person.role,
    credits: await readCredits(database, personId, person.plan),
    profile: { id: personId, fullName: person.name, email: person.email, imageUrl: person.image_url },
  };
}
