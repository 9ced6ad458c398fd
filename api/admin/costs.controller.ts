import { Controller, Inject, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { routes, type RouteQuery } from '#libs/contract/routes/table.js';
import { readMonthBudgets, readProviderCosts } from '#libs/operators/provider-costs.js';
import { Route } from '../http/route.js';

const DAY_MS = 86_400_000;

@Controller()
export class AdminCostsController {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'budgets' | 'providerPrices'>,
  ) {}

  @Route('adminBudgets')
  budgets() {
    return readMonthBudgets(this.dataSource, this.config);
  }

  @Route('adminCosts')
  async costs(@Query({ schema: routes.adminCosts.query }) { from, to, by }: RouteQuery<'adminCosts'>) {
    const end = new Date(Date.parse(to) + DAY_MS);
    return { costs: await readProviderCosts(this.dataSource, { from: new Date(from), to: end, by }) };
  }
}
