import { statements } from './migration.js';

/** Events of Stripe name a customer. */
export class Billing1700000000057 extends statements(
  `CREATE INDEX "auth_users_stripeCustomerId_idx" ON auth_users ("stripeCustomerId")`,
) {}
