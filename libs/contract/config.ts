import { z } from 'zod';
import { planSchema } from './account.js';
import { publishingModes } from './moderation.js';
import { engineNameSchema } from './engine.js';

export const toolSummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  plan: planSchema,
  credits: z.number().int(),
  engine: engineNameSchema.meta({
    description:
      'The engine that makes its results: this server also where the AI service was found to lack a model for pictures.',
  }),
});

export const publicConfigSchema = z
  .object({
    accounts: z.object({
      provider: z.enum(['local', 'clerk']),
      publishableKey: z
        .string()
        .nullable()
        .meta({ description: 'Clerk’s publishable key; null with local accounts.' }),
      proxyUrl: z.string().nullable().meta({
        description: 'A path or URL that replaces the host of Clerk’s Frontend API.',
      }),
      mail: z.boolean().meta({
        description:
          'Local accounts: whether mail is sent. If so, a new account is confirmed by a link before its first sign-in, passwords can be reset and addresses changed.',
      }),
      passkeys: z
        .boolean()
        .meta({ description: 'Local accounts: whether passkeys can be used at the public address.' }),
      twoFactorFor: z
        .enum(['nobody', 'operators'])
        .meta({ description: 'Local accounts: the users who must use a second factor.' }),
      apps: z
        .array(z.object({ clientId: z.string(), name: z.string() }))
        .meta({ description: 'Clerk: apps that users may allow to call `/mcp`.' }),
      planSwitch: z.boolean().meta({ description: 'Whether users may switch their plan for trial.' }),
      payment: z
        .object({ trialDays: z.number().int() })
        .nullable()
        .meta({ description: 'Local accounts: whether users buy the premium plan, by Stripe.' }),
    }),
    engine: engineNameSchema.meta({
      description: 'Whether an AI service is connected. `tools` has the engine of each tool.',
    }),
    plans: z.object({
      free: z.object({ monthlyCredits: z.number().int() }),
      premium: z.object({
        price: z.object({ amount: z.number(), currency: z.string() }).meta({
          description: 'The monthly price that the page shows. The currency is a code such as USD.',
        }),
      }),
    }),
    limits: z.object({
      pdfBytes: z.number().int(),
      imageBytes: z.number().int(),
      unfinishedJobs: z.number().int(),
    }),
    tools: z.array(toolSummarySchema),
    objectsByName: z.boolean().meta({
      description:
        'Whether an object to remove can be found by its name; otherwise it has to be painted over.',
    }),
    changesImages: z.boolean().meta({
      description: 'Whether `generate-image` can change an image of the user, named by `creation`.',
    }),
    publishing: z
      .enum(publishingModes)
      .meta({ description: 'Whether users may publish images, and whether each waits for an approval.' }),
    demoVideoUrl: z.string().nullable(),
  })
  .meta({ id: 'PublicConfig' });
export type PublicConfig = z.infer<typeof publicConfigSchema>;
