import { lazy, Suspense, type ReactNode } from 'react';
import { Check } from 'lucide-react';
import type { Plan } from '#libs/contract/account.js';
import { useConfig } from '../../api/read-config';
import { Button } from '../../components/button';
import { Loading } from '../../components/spinner';
import { prices } from '../../content/sample';
import { useAccounts } from '../accounts';

// What asks for the account comes only for who has one.
const OwnPlan = lazy(() => import('./own-plan'));

/** The two plans of local accounts, each with its next step: an account, or the switch to it. */
export default function PlanCards({ onSignUp }: { onSignUp: () => void }) {
  const { user } = useAccounts();
  const config = useConfig();
  if (config.data === undefined) return <Loading what="Loading the plans" />;
  const { plans, tools } = config.data;
  const titles = (plan: Plan) => tools.filter((tool) => tool.plan === plan).map(({ title }) => title);
  const step = (plan: Plan, invitation: string) =>
    user === null ? (
      <Button className="w-full" onClick={onSignUp}>
        {invitation}
      </Button>
    ) : (
      <Suspense fallback={<div className="min-h-11" />}>
        <OwnPlan key={user.id} plan={plan} />
      </Suspense>
    );
  return (
    <div className="grid w-full grid-cols-1 gap-6 md:grid-cols-2">
      <Card
        name="Free"
        price={prices.free}
        promise={`${plans.free.monthlyCredits} credits every month, no card needed`}
        gives={[`${plans.free.monthlyCredits} credits per month`, ...titles('free')]}
        step={step('free', 'Create a free account')}
      />
      <Card
        name="Premium"
        price={prices.premium}
        promise="Every tool, as often as you like"
        gives={['Unlimited credits', ...titles('premium'), 'Everything in Free', 'Priority processing']}
        step={step('premium', 'Start with Premium')}
        gold
      />
    </div>
  );
}

interface CardProps {
  name: string;
  price: string;
  promise: string;
  gives: string[];
  step: ReactNode;
  gold?: boolean;
}

function Card({ name, price, promise, gives, step, gold = false }: CardProps) {
  return (
    <article className={`sheet grid grid-rows-[auto_1fr_auto] p-7 xl:p-9 ${gold ? 'border-premium!' : ''}`}>
      <header>
        <h3 className={`text-2xl ${gold ? 'text-premium' : ''}`}>{name}</h3>
        <p className="mt-5 flex items-baseline gap-2">
          <span className="display text-6xl leading-none">{price}</span>
          <span className="text-quiet">a month</span>
        </p>
        <p className="mt-4 text-quiet">{promise}</p>
      </header>
      <ul className="mt-7 mb-9 grid content-start gap-3 border-t border-line pt-7">
        {gives.map((one) => (
          <li key={one} className="flex gap-3">
            <Check
              aria-hidden="true"
              className={`mt-1 size-4 shrink-0 ${gold ? 'text-premium' : 'text-quiet'}`}
            />
            {one}
          </li>
        ))}
      </ul>
      {step}
    </article>
  );
}
