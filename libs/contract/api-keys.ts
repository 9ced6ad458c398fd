import { z } from 'zod';
import { toolGroups } from './define-tool.js';
import { AppError } from './errors.js';

/**
 * What an API key may do: `read` everything of its user but the account, `write` changes what exists, `webhooks` creates and
 * changes them, and a group of tools runs their jobs.
 */
export const keyScopes = ['read', 'write', 'webhooks', ...toolGroups] as const;
export type KeyScope = (typeof keyScopes)[number];

/** What an app that a user connects by OAuth may do. */
export const appScopes: readonly KeyScope[] = keyScopes.filter((scope) => scope !== 'webhooks');

/** Maximum number of a user's keys, without those that were revoked. */
export const MAX_API_KEYS = 20;
/** Maximum number of a user's keys with those that were revoked in the last {@link REVOKED_KEY_DAYS} days. */
export const MAX_STORED_API_KEYS = 200;
export const REVOKED_KEY_DAYS = 90;
export const API_KEY_NAME_MAX_CHARACTERS = 60;
/** Highest cap of jobs or credits that can be set; an absent cap is unlimited. */
const MAX_CAP = 1_000_000;
const MAX_RATE = 10_000;

const NAME_MESSAGE = `Give the key a name of at most ${API_KEY_NAME_MAX_CHARACTERS} characters.`;
const RATE_MESSAGE = 'The rate must be a whole number of requests a minute, from 1 to 10,000.';

function capOf(what: string) {
  const message = `The cap on ${what} must be a whole number from 0 to 1,000,000.`;
  return z.int(message).min(0, message).max(MAX_CAP, message).nullable();
}

const settings = {
  name: z
    .string({ error: NAME_MESSAGE })
    .trim()
    .min(1, NAME_MESSAGE)
    .max(API_KEY_NAME_MAX_CHARACTERS, NAME_MESSAGE),
  monthlyJobs: capOf('jobs').meta({
    description: 'Jobs that the key may start in a month; null is unlimited.',
  }),
  monthlyCredits: capOf('credits').meta({
    description: 'Credits that the key may spend in a month; null is unlimited.',
  }),
  ratePerMinute: z
    .int(RATE_MESSAGE)
    .min(1, RATE_MESSAGE)
    .max(MAX_RATE, RATE_MESSAGE)
    .nullable()
    .meta({ description: 'Requests a minute of this key; null is the limit of the user.' }),
};

const scopesOf = <Scope extends KeyScope>(choices: readonly Scope[]) =>
  z
    .array(z.enum(choices, { error: `A scope is one of ${choices.join(', ')}.` }), {
      error: 'Choose at least one scope.',
    })
    .min(1, 'Choose at least one scope.')
    .max(choices.length, 'Name each scope once.')
    .refine((scopes) => new Set(scopes).size === scopes.length, 'Name each scope once.');

export const newApiKeySchema = z.object({
  name: settings.name,
  scopes: scopesOf(keyScopes),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'The expiry must be a time such as 2027-01-31T12:00:00Z.' })
    .nullable()
    .default(null),
  monthlyJobs: settings.monthlyJobs.default(null),
  monthlyCredits: settings.monthlyCredits.default(null),
  ratePerMinute: settings.ratePerMinute.default(null),
});
export type NewApiKey = z.output<typeof newApiKeySchema>;

export const allowAppSchema = z.object({ scopes: scopesOf(appScopes) });

export const changeApiKeySchema = z.object(settings).partial();
export type ChangeApiKey = z.output<typeof changeApiKeySchema>;

export const apiKeySchema = z
  .object({
    id: z.string().meta({ description: 'Part of the key, shown in lists and logs: 12 hexadecimal digits.' }),
    clientId: z
      .string()
      .nullable()
      .meta({ description: 'The OAuth client of a connected app, which has no secret; null for a key.' }),
    ...settings,
    scopes: z.array(z.enum(keyScopes)),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'Updated at most once a minute.' }),
    usage: z
      .object({ jobs: z.int(), credits: z.int() })
      .meta({ description: 'Jobs started and credits spent with the key this month (UTC).' }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeyNotFound = () => new AppError('NOT_FOUND', 'There is no such API key.');
