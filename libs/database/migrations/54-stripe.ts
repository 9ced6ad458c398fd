import { statements } from './migration.js';

/** Payment by Stripe: customers, subscriptions, changes of plans, customers to delete at Stripe. */
export class Stripe1700000000054 extends statements(
  `ALTER TABLE auth_users ADD COLUMN "stripeCustomerId" text`,
  `CREATE TABLE auth_subscriptions (
  "id" text PRIMARY KEY,
  "plan" text NOT NULL,
  "referenceId" text NOT NULL REFERENCES auth_users ON DELETE CASCADE,
  "stripeCustomerId" text,
  "stripeSubscriptionId" text UNIQUE,
  "status" text NOT NULL DEFAULT 'incomplete',
  "periodStart" timestamptz,
  "periodEnd" timestamptz,
  "trialStart" timestamptz,
  "trialEnd" timestamptz,
  "cancelAtPeriodEnd" boolean DEFAULT false,
  "cancelAt" timestamptz,
  "canceledAt" timestamptz,
  "endedAt" timestamptz,
  "seats" integer,
  "billingInterval" text,
  "stripeScheduleId" text,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL DEFAULT now()
)`,
  `CREATE INDEX "auth_subscriptions_referenceId_idx" ON auth_subscriptions ("referenceId")`,
  `CREATE INDEX "auth_subscriptions_stripeCustomerId_idx" ON auth_subscriptions ("stripeCustomerId")`,
  `CREATE TABLE stripe_customers (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  is_premium boolean NOT NULL DEFAULT false,
  grace_until timestamptz,
  read_at timestamptz,
  check_at timestamptz,
  failures integer NOT NULL DEFAULT 0
)`,
  `CREATE INDEX stripe_customers_due ON stripe_customers (check_at) WHERE check_at IS NOT NULL`,
  `CREATE TABLE plan_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  plan text NOT NULL CONSTRAINT plan_changes_plan CHECK (plan IN ('free', 'premium')),
  source text NOT NULL CONSTRAINT plan_changes_source CHECK (source IN ('stripe', 'user', 'operator')),
  note text,
  created_at timestamptz NOT NULL DEFAULT now()
)`,
  `CREATE INDEX plan_changes_user ON plan_changes (user_id, id)`,
  `CREATE TABLE stripe_removals (
  customer_id text PRIMARY KEY,
  run_after timestamptz NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 0,
  error text
)`,
) {}
