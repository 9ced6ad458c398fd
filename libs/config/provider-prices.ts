import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigurationError } from './configuration-error.js';

const amount = z.number().nonnegative().max(1_000_000);

/** Prices of one model, in the list's currency: per million tokens, and of each picture. */
const modelPriceSchema = z
  .strictObject({
    input: amount.optional(),
    /** Tokens of a text request that the provider had cached. Default: `input`. */
    cachedInput: amount.optional(),
    /** Tokens of the request's pictures. Default: `input`. */
    imageInput: amount.optional(),
    output: amount.optional(),
    /** A picture that is made or checked, for models that are not billed by tokens. */
    image: amount.optional(),
  })
  .refine(
    ({ input, output, image }) => (input !== undefined && output !== undefined) || image !== undefined,
    'needs input and output, or image',
  );
export type ModelPrice = z.infer<typeof modelPriceSchema>;

const priceListSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a code such as USD'),
  /** When somebody last compared the list with that of the provider. */
  date: z.iso.date(),
  /** Where the prices are from. */
  source: z.string().optional(),
  models: z.record(z.string(), modelPriceSchema),
  /** Models of the fallback whose prices are not those of `models`. */
  fallbackModels: z.record(z.string(), modelPriceSchema).default({}),
});
export type ProviderPrices = z.infer<typeof priceListSchema>;

interface ModelNames {
  textModel: string;
  imageModel: string;
}

/** @returns null without a price list @throws ConfigurationError for a list that is wrong or lacks a configured model */
export function readProviderPrices(
  setting: string | undefined,
  ai: { main: ModelNames; fallback: ModelNames | null; moderationModel: string | null } | null,
): ProviderPrices | null {
  if (setting === undefined) return null;
  const list = parse(setting.startsWith('{') ? setting : readFile(setting));
  if (ai === null) return list;
  const ofMain = (model: string) => list.models[model];
  const ofFallbackModel = (model: string) => list.fallbackModels[model] ?? list.models[model];
  const names = [...namesOf(ai.main), ...(ai.moderationModel === null ? [] : [ai.moderationModel])];
  const missing = names.filter((model) => !ofMain(model));
  const ofFallback = namesOf(ai.fallback).filter((model) => !ofFallbackModel(model));
  if (missing.length > 0)
    throw new ConfigurationError(
      `PRICES_PROVIDER must have a price for each model in "models": ${missing.join(', ')} is missing.`,
    );
  if (ofFallback.length > 0)
    throw new ConfigurationError(
      `PRICES_PROVIDER must have a price for each model of the fallback in "fallbackModels" or "models": ${ofFallback.join(', ')} is missing.`,
    );
  const texts = [
    { model: ai.main.textModel, price: ofMain(ai.main.textModel) },
    ...(ai.fallback ? [{ model: ai.fallback.textModel, price: ofFallbackModel(ai.fallback.textModel) }] : []),
  ];
  const withoutTokens = texts.filter(({ price }) => price?.input === undefined || price.output === undefined);
  if (withoutTokens.length > 0)
    throw new ConfigurationError(
      `PRICES_PROVIDER must have "input" and "output" for each text model: ${withoutTokens[0]!.model} lacks them.`,
    );
  return list;
}

const namesOf = (models: ModelNames | null) => [
  ...new Set(models ? [models.textModel, models.imageModel] : []),
];

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigurationError(
      'PRICES_PROVIDER must hold JSON, or the path of a JSON file that can be read.',
    );
  }
}

function parse(text: string): ProviderPrices {
  const list = priceListSchema.safeParse(parseJson('PRICES_PROVIDER', text));
  if (list.success) return list.data;
  throw new ConfigurationError(
    list.error.issues
      .map(({ path, message }) => `PRICES_PROVIDER is wrong at ${path.join('.') || 'the top'}: ${message}.`)
      .join('\n'),
  );
}

export function parseJson(variable: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${variable} must hold valid JSON.`);
  }
}
