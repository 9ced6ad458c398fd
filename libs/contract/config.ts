import { z } from 'zod';
import { planSchema } from './account.js';
import { engineNameSchema } from './engine-name.js';

export const toolSummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  plan: planSchema,
  credits: z.number().int(),
  engine: engineNameSchema.meta({ description: 'What makes its results.' }),
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
        description: 'Where Clerk’s Frontend API is reached instead of its own host: a path or an address.',
      }),
      mail: z.boolean().meta({
        description:
          'Local accounts: whether mail is sent. Then a new account is confirmed by a link before its first sign-in, passwords can be reset and addresses changed.',
      }),
      passkeys: z
        .boolean()
        .meta({ description: 'Local accounts: whether passkeys can be used at the public address.' }),
      twoFactorFor: z
        .enum(['nobody', 'operators'])
        .meta({ description: 'Local accounts: who has to use a second factor.' }),
      planSwitch: z.boolean().meta({ description: 'Whether users may switch their plan for trial.' }),
    }),
    engine: engineNameSchema.meta({
      description: 'Whether an AI service is connected. `tools` tells what makes the results of each tool.',
    }),
    plans: z.object({ free: z.object({ monthlyCredits: z.number().int() }) }),
    limits: z.object({
      pdfBytes: z.number().int(),
      imageBytes: z.number().int(),
      unfinishedJobs: z.number().int(),
    }),
    tools: z.array(toolSummarySchema),
    objectsByName: z.boolean().meta({
      description: 'Whether an object to remove can be found by its name; else it has to be painted over.',
    }),
    demoVideoUrl: z.string().nullable(),
  })
  .meta({ id: 'PublicConfig' });
/** What the web client needs before anybody signs in. */
export type PublicConfig = z.infer<typeof publicConfigSchema>;

/** The largest accepted files, in bytes. */
export const PDF_MAX_BYTES = 5 * 1024 * 1024;
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;

/** The largest images that are decoded: a small file may hold gigabytes of pixels. */
export const IMAGE_MAX_MEGAPIXELS = 50;
/** Of an image that an AI service made: more than any model answers with. */
export const ANSWER_MAX_MEGAPIXELS = 16;
/** A profile picture is made small while its user waits: the photo of a camera of 12 megapixels, which has 12.2. */
export const PICTURE_MAX_MEGAPIXELS = 12.5;
/** An edited picture is decoded while its user waits. */
export const VERSION_MAX_MEGAPIXELS = 25;
