import type { BilledResponse, ProviderCall, TokenUsage } from '#libs/ai/engine.js';
import type { ModelPrice, ProviderPrices } from '#libs/config/provider-prices.js';
import type { TokenEstimates } from './token-estimates.js';

export interface BilledCall {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  images: number;
  /** Millionths of the list's currency. Null without a price. */
  cost: number | null;
  /** True if the provider did not count a part of it. */
  isEstimated: boolean;
}

/** Tokens, pictures and cost of all responses of a call. */
export function billCall(
  { model, provider, operation, responses }: ProviderCall,
  prices: ProviderPrices | null,
  estimates: TokenEstimates,
): BilledCall {
  const price = prices && priceOf(prices, provider, model);
  const total: BilledCall = {
    ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, images: 0, isEstimated: false },
    cost: price ? 0 : null,
  };
  const isImage = operation === 'generate_image' || operation === 'edit_image';
  for (const response of responses) {
    const usage = response.usage ?? estimates.estimate(model, isImage, response);
    if (response.usage) estimates.learn(model, isImage, { ...response, usage: response.usage });
    total.inputTokens += usage.input;
    total.cachedTokens += usage.cachedInput ?? 0;
    total.outputTokens += usage.output;
    total.images += response.images;
    total.isEstimated ||= response.usage === null;
    if (price && total.cost !== null) total.cost += costOf(price, usage, response);
  }
  if (total.cost !== null) total.cost = Math.round(total.cost);
  return total;
}

export const priceOf = (
  { models, fallbackModels }: ProviderPrices,
  provider: ProviderCall['provider'],
  model: string,
): ModelPrice | undefined => (provider === 'fallback' ? fallbackModels[model] : undefined) ?? models[model];

/** Prices are per million tokens, so tokens times price are millionths of the currency. */
export function costOf(
  price: ModelPrice,
  { input, output, cachedInput = 0, imageInput = 0 }: TokenUsage,
  { images }: Pick<BilledResponse, 'images'>,
): number {
  if (price.input === undefined || price.output === undefined) return images * (price.image ?? 0) * 1_000_000;
  const texts = Math.max(0, input - cachedInput - imageInput);
  return (
    texts * price.input +
    cachedInput * (price.cachedInput ?? price.input) +
    imageInput * (price.imageInput ?? price.input) +
    output * price.output +
    images * (price.image ?? 0) * 1_000_000
  );
}
