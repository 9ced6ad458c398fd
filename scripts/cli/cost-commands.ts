import { Option, type Command } from 'commander';
import { costGroups, type MonthBudgets, type ProviderCost } from '#libs/contract/admin.js';
import { readMonthBudgets, readProviderCosts, type CostGroup } from '#libs/operators/provider-costs.js';
import { asJson, between, day, timesOf, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';
import { table } from './table.js';

const DAY_MS = 24 * 3_600_000;

interface CostOptions extends Output {
  day?: Date;
  between?: string[];
  by: CostGroup;
  budgets?: boolean;
}

/** Costs of calls of the AI service. */
export function costCommands(program: Command, terminal: Terminal): void {
  program
    .command('costs')
    .description('calls of the AI service and their cost, of this month (UTC) unless you name other times')
    .addOption(new Option('--day <day>', 'of one day, as YYYY-MM-DD').argParser(day))
    .addOption(between('calls').conflicts('day'))
    .addOption(new Option('--by <group>', 'one line for each').choices(costGroups).default('tool'))
    .addOption(
      new Option('--budgets', 'only the budgets of this month, and what is spent and reserved').conflicts([
        'day',
        'between',
        'by',
      ]),
    )
    .addOption(asJson())
    .action((options: CostOptions) =>
      withPlatform(terminal, async ({ dataSource, budgets, providerPrices }) => {
        const month = await readMonthBudgets(dataSource, { budgets, providerPrices });
        if (options.budgets)
          return write(terminal, options, month, () => toBudgetTable(month) || 'No budget is set.\n');
        const costs = await readProviderCosts(dataSource, { ...timesOfCosts(options), by: options.by });
        write(terminal, options, costs, () =>
          [costs.length === 0 ? 'There were no calls.\n' : toTable(options.by, costs), toBudgetTable(month)]
            .filter(Boolean)
            .join('\n'),
        );
      }),
    );
}

function timesOfCosts({ day: only, between: times }: CostOptions): { from: Date; to: Date } {
  if (times) {
    const { from, to } = timesOf(times);
    return { from: new Date(from), to: new Date(to) };
  }
  const now = new Date();
  const first = only ?? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  return { from: first, to: new Date((only ?? now).getTime() + DAY_MS) };
}

const toTable = (by: CostGroup, costs: ProviderCost[]): string =>
  table(
    [by.toUpperCase(), 'CALLS', 'FAILED', 'INPUT', 'CACHED', 'OUTPUT', 'IMAGES', 'COST', 'ESTIMATED'],
    costs.map((cost) => [
      cost.label ?? cost.group,
      ...[cost.calls, cost.failed, cost.inputTokens, cost.cachedTokens, cost.outputTokens, cost.images],
      cost.cost === null ? null : `${cost.cost.toFixed(4)} ${cost.currency ?? ''}`,
      cost.estimatedCost > 0 ? cost.estimatedCost.toFixed(4) : null,
    ]),
  );

/** Empty if no budget is set. */
const toBudgetTable = ({ budgets, currency, month }: MonthBudgets): string =>
  budgets.length === 0
    ? ''
    : table(
        [`BUDGET ${month}`, 'USER', 'SPENT', 'RESERVED', 'OF', ''],
        budgets.map(({ budget, userId, email, spent, reserved, limit }) => [
          ...[budget, email ?? userId, spent.toFixed(2), reserved.toFixed(2)],
          `${limit.toFixed(2)} ${currency ?? ''}`,
          `${limit > 0 ? Math.floor((100 * spent) / limit) : 100} %`,
        ]),
      );
