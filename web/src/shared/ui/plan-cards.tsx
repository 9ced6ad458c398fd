import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import type { Plan } from '#libs/contract/account.js';
import { formatPrice, type Price } from '../lib/format-price';

interface PlanCardsProps {
  /** The monthly price of Premium; undefined while it is loading. */
  price: Price | undefined;
  monthlyCredits: number;
  tools: readonly { title: string; plan: Plan }[];
  /** Renders the footer of a plan's card. */
  action?: (plan: Plan) => ReactNode;
}

export function PlanCards({ price, monthlyCredits, tools, action }: PlanCardsProps) {
  const titles = (plan: Plan) => tools.filter((tool) => tool.plan === plan).map(({ title }) => title);
  return (
    <div className="grid w-full grid-cols-1 gap-6 md:grid-cols-2">
      <PlanCard
        name="Free"
        price={price && formatPrice({ ...price, amount: 0 })}
        promise={`${monthlyCredits} credits every month, no card needed`}
        features={[`${monthlyCredits} credits per month`, ...titles('free')]}
        action={action?.('free')}
      />
      <PlanCard
        name="Premium"
        price={price && formatPrice(price)}
        promise="Every tool, as often as you like"
        features={['Unlimited credits', ...titles('premium'), 'Everything in Free', 'Priority processing']}
        action={action?.('premium')}
        gold
      />
    </div>
  );
}

interface PlanCardProps {
  name: string;
  price: string | undefined;
  promise: string;
  features: string[];
  action: ReactNode;
  gold?: boolean;
}

function PlanCard({ name, price, promise, features, action, gold = false }: PlanCardProps) {
  return (
    <article className={`panel grid grid-rows-[auto_1fr_auto] p-7 xl:p-9 ${gold ? 'border-premium!' : ''}`}>
      <header>
        <h3 className={`text-2xl ${gold ? 'text-premium' : ''}`}>{name}</h3>
        <p className="mt-5 flex items-baseline gap-2">
          <span className="display text-6xl leading-none">{price ?? '\u00a0'}</span>
          <span className="text-quiet">a month</span>
        </p>
        <p className="mt-4 text-quiet">{promise}</p>
      </header>
      <ul className="mt-7 grid content-start gap-3 border-t border-line pt-7">
        {features.map((feature) => (
          <li key={feature} className="flex gap-3">
            <Check
              aria-hidden="true"
              className={`mt-1 size-4 shrink-0 ${gold ? 'text-premium' : 'text-quiet'}`}
            />
            {feature}
          </li>
        ))}
      </ul>
      {/* The minimum height reserves space for the line that signed-in users see above the button. */}
      <div className="grid min-h-24 content-end">{action}</div>
    </article>
  );
}
