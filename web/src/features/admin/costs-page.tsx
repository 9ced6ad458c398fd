import { Link, useSearchParams } from 'react-router-dom';
import { costGroups, type BudgetUse, type CostsQuery, type ProviderCost } from '#libs/contract/admin.js';
import { formatCount } from '../../shared/lib/format';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { paths } from '../../shared/paths';
import { FieldFrame } from '../../shared/ui/field-frame';
import { Meter } from '../../shared/ui/meter';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { RadioChips } from '../../shared/ui/radio-chips';
import { Select } from '../../shared/ui/select';
import { useBudgets, useCosts } from './admin-api';
import { Section } from './facts';
import { QueryPanel } from './query-panel';

const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const periods = {
  yesterday: { label: 'Yesterday', range: () => ({ from: dayBefore(1), to: dayBefore(1) }) },
  today: { label: 'Today', range: () => ({ from: dayBefore(0), to: dayBefore(0) }) },
  week: { label: 'Last 7 days', range: () => ({ from: dayBefore(6), to: dayBefore(0) }) },
  month: { label: 'This month', range: () => ({ from: `${dayBefore(0).slice(0, 8)}01`, to: dayBefore(0) }) },
  quarter: { label: 'Last 90 days', range: () => ({ from: dayBefore(89), to: dayBefore(0) }) },
};
type Period = keyof typeof periods;

export default function AdminCostsPage() {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const asked = parameters.get('period') ?? '';
  const period = Object.hasOwn(periods, asked) ? (asked as Period) : 'yesterday';
  const by = costGroups.find((group) => group === parameters.get('by')) ?? 'tool';
  return (
    <>
      <PageHeading lead="Calls of the AI service and what they cost by the price list. Days are in UTC.">
        Costs
      </PageHeading>
      <MonthBudgets />
      <div className="mb-8 flex flex-wrap items-end gap-x-8 gap-y-4">
        <RadioChips
          legend="Days"
          name="period"
          options={Object.entries(periods).map(([value, { label }]) => ({ value: value as Period, label }))}
          value={period}
          onChange={(value) => change({ period: value })}
        />
        <div className="w-44">
          <FieldFrame id="costs-by" label="Sums by">
            <Select
              id="costs-by"
              value={by}
              onChange={({ currentTarget }) => change({ by: currentTarget.value })}
            >
              {costGroups.map((group) => (
                <option key={group}>{group}</option>
              ))}
            </Select>
          </FieldFrame>
        </div>
      </div>
      <QueryPanel query={useCosts({ ...periods[period].range(), by })} what="the costs">
        {(costs) => <Sums costs={costs} by={by} />}
      </QueryPanel>
    </>
  );
}

/** The budgets of this month. Nothing if none is set. */
function MonthBudgets() {
  return (
    <QueryPanel query={useBudgets()} what="the budgets">
      {({ budgets, currency }) =>
        budgets.length > 0 && (
          <div className="mb-10">
            <Section title="Budgets of this month">
              <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
                {budgets.map((use) => (
                  <Budget key={`${use.budget} ${use.userId}`} use={use} currency={currency} />
                ))}
              </ul>
            </Section>
          </div>
        )
      }
    </QueryPanel>
  );
}

/** Used part of a budget from which operators are alerted (BudgetNearlyUsed in ops/alerts.yml). */
const NEARLY_USED = 0.8;

const budgetNames = { all: 'All jobs', free: 'Free plan', premium: 'Premium plan', user: 'User' };

function Budget({ use, currency }: { use: BudgetUse; currency: string | null }) {
  const { budget, userId, email, limit, spent, reserved } = use;
  const name = userId === null ? budgetNames[budget] : (email ?? userId);
  const amounts = `${money(spent, currency)} of ${money(limit, currency)}`;
  const isNearlyUsed = spent >= NEARLY_USED * limit;
  return (
    <li className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <span className="min-w-0 wrap-anywhere">
          {userId === null ? (
            name
          ) : (
            <Link className="underline hover:text-accent" to={paths.adminUser(userId)}>
              {name}
            </Link>
          )}
        </span>
        <span className={`text-sm ${isNearlyUsed ? 'font-semibold text-danger' : 'text-quiet'}`}>
          {amounts}
          {reserved > 0 && `, ${money(reserved, currency)} reserved`}
        </span>
      </div>
      <Meter label={`Budget: ${name}`} value={spent} max={limit} detail={amounts} isWarning={isNearlyUsed} />
    </li>
  );
}

function Sums({ costs, by }: { costs: ProviderCost[]; by: CostsQuery['by'] }) {
  if (costs.length === 0) return <p className="text-quiet">The AI service was not called on these days.</p>;
  const unpriced = costs.reduce((sum, cost) => sum + cost.unpriced, 0);
  return (
    <>
      <p className="mb-6 text-3xl" aria-live="polite">
        {totalOf(costs)}
      </p>
      {unpriced > 0 && (
        <div className="mb-6">
          <Notice tone="warning" title={`${formatCount(unpriced, 'call')} without a price`}>
            Set PRICES_PROVIDER to a price list that has the models in use.
          </Notice>
        </div>
      )}
      <ul className="border-t border-line">
        {costs.map((cost) => (
          <CostRow key={`${cost.group} ${cost.label} ${cost.currency}`} cost={cost} by={by} />
        ))}
      </ul>
    </>
  );
}

function CostRow({ cost, by }: { cost: ProviderCost; by: CostsQuery['by'] }) {
  const { group, label, calls, failed, inputTokens, outputTokens, images } = cost;
  const name = label ?? group ?? (by === 'key' ? 'without a key' : 'deleted users');
  const facts = [
    formatCount(calls, 'call'),
    failed > 0 && `${failed} failed`,
    inputTokens + outputTokens > 0 &&
      `${inputTokens.toLocaleString('en')} + ${outputTokens.toLocaleString('en')} tokens`,
    images > 0 && formatCount(images, 'picture'),
    cost.estimatedCost > 0 && `${money(cost.estimatedCost, cost.currency)} estimated`,
  ].filter(Boolean);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-3">
      <div className="min-w-0 wrap-anywhere">
        {by === 'user' && group ? (
          <Link className="underline hover:text-accent" to={paths.adminUser(group)}>
            {name}
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        <p className="text-sm text-quiet">{facts.join(', ')}</p>
      </div>
      <p className="font-mono">{cost.cost === null ? 'no price' : money(cost.cost, cost.currency)}</p>
    </li>
  );
}

function totalOf(costs: ProviderCost[]): string {
  const sums = new Map<string, number>();
  for (const { cost, currency } of costs)
    if (cost !== null && currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + cost);
  if (sums.size === 0)
    return formatCount(
      costs.reduce((sum, { calls }) => sum + calls, 0),
      'call',
    );
  return [...sums].map(([currency, sum]) => money(sum, currency)).join(' + ');
}

/** Four digits for what costs less than a unit. */
const money = (amount: number, currency: string | null) =>
  new Intl.NumberFormat('en', {
    ...(currency ? { style: 'currency', currency } : {}),
    maximumFractionDigits: amount !== 0 && Math.abs(amount) < 1 ? 4 : 2,
  }).format(amount);
