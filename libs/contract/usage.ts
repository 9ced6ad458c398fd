import { z } from 'zod';
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
    days: z.array(
      z.object({
        day: z.iso.date(),
        tool: z.string(),
        jobs: count,
        succeeded: count,
        credits: count.meta({ description: 'Charged and not given back.' }),
      }),
    ),
    storage: z.array(z.object({ kind: z.string(), files: count, bytes: count })),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;

export const receiptsQuerySchema = z.object({
  month: monthSchema,
  cursor: cursorSchema,
  limit: limitSchema(100, 30),
});

/** The credits of one job. */
export const receiptSchema = z
  .object({
    jobId: z.uuid(),
    tool: z.string().nullable().meta({ description: 'Null once the job is deleted.' }),
    title: z.string().nullable(),
    status: z.string().nullable(),
    attempts: count.nullable(),
    quoted: count.meta({ description: 'The price at which the job was accepted.' }),
    charged: count,
    refunded: count,
    reason: z.string().nullable().meta({ description: 'Why credits were given back.' }),
    key: z.string().nullable().meta({ description: 'Name of the API key that started the job.' }),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof receiptSchema>;
