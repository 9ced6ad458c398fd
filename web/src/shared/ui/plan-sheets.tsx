import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import type { Plan } from '#libs/contract/account.js';
import { prices } from '../content/sample';

interface PlanSheetsProps {
  /** Credits of the free plan. */
  monthlyCredits: number;
  tools: readonly { title: string; plan: Plan }[];
  /** What a plan's sheet ends with; the button of it is at the bottom. */
  step?: (plan: Plan) => ReactNode;
}

/** The two plans side by side, on a phone one below the other. */
export function PlanSheets({ monthlyCredits, tools, step }: PlanSheetsProps) {
  const titles = (plan: Plan) => tools.filter((tool) => tool.plan === plan).map(({ title }) => title);
  return (
    <div className="grid w-full grid-cols-1 gap-6 md:grid-cols-2">
      <Sheet
        name="Free"
        price={prices.free}
        promise={`${monthlyCredits} credits every month, no card needed`}
        gives={[`${monthlyCredits} credits per month`, ...titles('free')]}
        step={step?.('free')}
      />
      <Sheet
        name="Premium"
        price={prices.premium}
        promise="Every tool, as often as you like"
        gives={['Unlimited credits', ...titles('premium'), 'Everything in Free', 'Priority processing']}
        step={step?.('premium')}
        gold
      />
    </div>
  );
}

interface SheetProps {
  name: string;
  price: string;
  promise: string;
  gives: string[];
  step: ReactNode;
  gold?: boolean;
}

function Sheet({ name, price, promise, gives, step, gold = false }: SheetProps) {
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
      <ul className="mt-7 grid content-start gap-3 border-t border-line pt-7">
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
      {/* As high for a visitor as for who is signed in, who has a line above the button: it comes later. */}
      <div className="grid min-h-24 content-end">{step}</div>
    </article>
  );
}
