import { z } from 'zod';

export const planSchema = z.enum(['free', 'premium'], { error: 'Choose the plan free or premium.' });
export type Plan = z.infer<typeof planSchema>;

/** `person` is an ordinary user. `admin` is an operator, who may open the queue board. */
export const roleSchema = z.enum(['person', 'admin']);
export type Role = z.infer<typeof roleSchema>;

export const creditsSchema = z
  .object({
    allowance: z.number().int().nullable().meta({ description: 'Credits this month; null is unlimited.' }),
    used: z.number().int(),
    remaining: z.number().int().nullable().meta({ description: 'Null is unlimited.' }),
    renewsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The time of the next grant; null is unlimited.' }),
  })
  .meta({ id: 'Credits' });
export type Credits = z.infer<typeof creditsSchema>;

export const profileSchema = z.object({
  id: z.string(),
  fullName: z.string(),
  email: z.string().nullable(),
  imageUrl: z.string().nullable(),
});

export const storageUseSchema = z
  .object({
    used: z.number().int().meta({
      description:
        'Bytes of uploads, results, PDF documents, creations and the profile picture. Deleted creations do not count.',
    }),
    limit: z.number().int().meta({ description: 'Bytes that the user may store.' }),
  })
  .meta({ id: 'StorageUse' });
export type StorageUse = z.infer<typeof storageUseSchema>;

const MAX_UNFINISHED_JOBS = 100_000;
const MAX_STORAGE_BYTES = 2 ** 50;
export const userLimitsSchema = z
  .object({
    unfinishedJobs: z
      .int('Give a whole number.')
      .min(1, 'Give a number from 1 to 100000.')
      .max(MAX_UNFINISHED_JOBS, 'Give a number from 1 to 100000.')
      .nullable()
      .meta({ description: 'Jobs that wait or run at once. Null is the limit of the server.' }),
    storageBytes: z
      .int('Give a whole number.')
      .min(1, 'Give at least 1 byte.')
      .max(MAX_STORAGE_BYTES, 'Give at most 1 PB.')
      .nullable()
      .meta({ description: 'Null is the limit of the plan.' }),
    until: z.iso.datetime('Give a time as 2026-11-27T22:00:00Z.'),
  })
  .meta({ id: 'UserLimits' });
export type UserLimits = z.infer<typeof userLimitsSchema>;

export const subscriptionSchema = z
  .object({
    status: z.enum(['trialing', 'active', 'past_due', 'unpaid', 'paused']),
    trialEndsAt: z.iso.datetime().nullable(),
    periodEndsAt: z.iso.datetime().meta({ description: 'The time of the next payment.' }),
    cancelsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The end of a cancelled subscription; null if it goes on.' }),
    graceUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The end of the premium plan if a failed payment is not made up for.' }),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscriptionSchema>;

export const planChangeSchema = z.object({
  plan: planSchema.meta({ description: 'The plan after the change.' }),
  source: z.enum(['stripe', 'user', 'operator']).meta({ description: 'Who changed it.' }),
  at: z.iso.datetime(),
});

export const accountSchema = z
  .object({
    plan: planSchema,
    role: roleSchema,
    credits: creditsSchema,
    storage: storageUseSchema,
    limits: userLimitsSchema.optional().meta({
      description: 'Limits that an operator gave the user for a time. `storage.limit` has them already.',
    }),
    profile: profileSchema,
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof accountSchema>;

export const guessedCodesSchema = z
  .object({
    at: z.iso.datetime(),
    network: z.string().meta({ description: 'IPv4 address, or network of an IPv6 address.' }),
  })
  .meta({ id: 'GuessedCodes' });
export type GuessedCodes = z.infer<typeof guessedCodesSchema>;

/** Limits for passwords of local accounts, in Unicode code points. */
export const PASSWORD_MIN_CHARACTERS = 8;
export const PASSWORD_MAX_CHARACTERS = 128;

export const setPlanSchema = z.object({ plan: planSchema });

export const removeAccountSchema = z.object({
  password: z.string().optional().meta({ description: 'With local accounts, the password of the account.' }),
});
