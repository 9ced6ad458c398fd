import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration } from './migration.js';

/** Events of Stripe name a customer. */
export class Billing1700000000057 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createConcurrently(runner, {
      '"auth_users_stripeCustomerId_idx"': 'auth_users ("stripeCustomerId")',
    });
  }
}
