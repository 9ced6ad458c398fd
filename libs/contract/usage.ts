import { z } from 'zod';
import { planChangeSchema } from './account.js';
import { count } from './jobs.js';
import { cursorSchema, limitSchema } from './pagination.js';

const monthSchema = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'Give a month as 2026-11.')
  .meta({ description: 'In UTC, as 2026-11.' });

export const usageQuerySchema = z.object({ month: monthSchema });

/** What a user made and spent in a month, and what is stored now. */
export const usageSchema = z
  .object({
    month: monthSchema,
    credits: z
      .object({
        granted: count,
        charged: count,
        refunded: count,
        adjusted: z.number().int().meta({ description: 'By an operator; 0 or negative.' }),
        left: count.meta({ description: 'Of this month: granted − charged + refunded + adjusted.' }),
      })
      .meta({ description: 'Sums of the ledger. All 0 where nothing was charged, as on the premium plan.' }),
    entries: z
      .array(
        z.object({
          kind: z.enum(['grant', 'adjustment']),
          amount: z.number().int(),
          note: z.string().nullable().meta({
            description: '`monthly` for the grant of the month, or the reason that an operator gave.',
          }),
          at: z.iso.datetime(),
        }),
      )
      .meta({ description: 'Grants and adjustments, the oldest first.' }),
    planChanges: z.array(planChangeSchema).meta({ description: 'Of this month, the oldest first.' }),
    days: z
      .array(
        z.object({
          day: z.iso.date(),
          tool: z.string().nullable().meta({ description: 'Null for deleted jobs.' }),
          jobs: count,
          succeeded: count,
          credits: count.meta({ description: 'Charged and not given back.' }),
        }),
      )
      .meta({
        description:
          'Ended jobs are deleted after `JOB_RETENTION_DAYS`: of older ones the ledger knows only those that cost credits.',
      }),
    keys: z
      .array(
        z.object({
          key: z.string().nullable().meta({ description: 'Name of the API key. Null without a key.' }),
          jobs: count,
          credits: count.meta({ description: 'Charged and not given back.' }),
        }),
      )
      .meta({ description: 'The same jobs by API key.' }),
    storage: z
      .array(z.object({ kind: z.string(), files: count, bytes: count }))
      .meta({ description: 'Adds up to `storage.used` of the account.' }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;

export const receiptsQuerySchema = z.object({
  month: monthSchema,
  cursor: cursorSchema,
  limit: limitSchema(100, 30),
});

/** The credits of one job, picture of a batch or step of a flow. */
export const receiptSchema = z
  .object({
    jobId: z.uuid(),
    tool: z.string().nullable().meta({ description: 'Null once the job is deleted.' }),
    title: z.string().nullable(),
    status: z.string().nullable().meta({
      description:
        'Status of the job; `not-started` or `left-out` for a step of a flow or a picture of a batch without a job.',
    }),
    attempts: count.nullable(),
    quoted: count.meta({
      description:
        'The price at which the job was accepted, also if it was not charged. For jobs without a charge of version 0.2 and earlier, the price of the tool now.',
    }),
    charged: count,
    included: z.boolean().meta({ description: 'True if the premium plan included the job.' }),
    refunded: count,
    reason: z.string().nullable().meta({ description: 'Why credits were given back.' }),
    key: z.string().nullable().meta({ description: 'Name of the API key that started the job.' }),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof receiptSchema>;
