import { z } from 'zod';
import { FREE_MONTHLY_CREDITS } from '#libs/contract/limits.js';
import { toolNames, tools, type ToolName } from '#libs/tools/catalogue.js';
import { ConfigurationError } from './configuration-error.js';
import { parseJson } from './provider-prices.js';

/** Prices for new jobs, in credits. A job, batch or flow keeps the price at which it was accepted. */
export interface Prices {
  tools: Readonly<Record<ToolName, number>>;
  /** Credits that each user of the free plan gets every month. */
  grants: { readonly free: number };
}

/** The prices of the tools' contracts. */
export const defaultPrices: Prices = {
  tools: Object.fromEntries(toolNames.map((name) => [name, tools[name].credits])) as Record<ToolName, number>,
  grants: { free: FREE_MONTHLY_CREDITS },
};

const credits = z.number('must be a whole number').int('must be a whole number').min(0).max(1_000_000);
const pricesSchema = z.strictObject({
  tools: z.partialRecord(z.enum(toolNames), credits).default({}),
  grants: z.strictObject({ free: credits.optional() }).default({}),
});

/** @throws ConfigurationError for JSON that is wrong, and for unknown tools and plans */
export function readPrices(setting: string | undefined): Prices {
  if (setting === undefined) return defaultPrices;
  const prices = pricesSchema.safeParse(parseJson('PRICES', setting));
  if (!prices.success)
    throw new ConfigurationError(
      prices.error.issues
        .map(({ path, message }) => `PRICES is wrong at ${path.join('.') || 'the top'}: ${message}.`)
        .join('\n'),
    );
  const { tools: ofTools, grants } = prices.data;
  return {
    tools: { ...defaultPrices.tools, ...ofTools },
    grants: { free: grants.free ?? defaultPrices.grants.free },
  };
}
