import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { cursorSchema, limitSchema } from './pages.js';

const flowStepStates = [
  'waiting',
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'left-out',
] as const;

const count = z.number().int().min(0);

export const flowStepSchema = z
  .object({
    n: z.number().int().meta({ description: 'Its number in the flow, from 1.' }),
    tool: z.string(),
    needs: z.number().int().nullable().meta({ description: 'The step from whose result it starts.' }),
    state: z.enum(flowStepStates).meta({
      description:
        '`waiting` until the step that it needs has succeeded; then that of its job. `left-out` was given back.',
    }),
    jobId: z.uuid().nullable().meta({ description: 'Its latest job.' }),
    creationId: z.uuid().nullable(),
    credits: count.meta({ description: 'What is charged for it; 0 once it was given back.' }),
    note: z.string().nullable().meta({ description: 'Why it does not start yet, or was left out.' }),
    error: z
      .object({ code: z.string() as unknown as z.ZodType<ErrorCode, ErrorCode>, message: z.string() })
      .nullable(),
  })
  .meta({ id: 'FlowStep' });
export type FlowStep = z.infer<typeof flowStepSchema>;

export const flowSchema = z
  .object({
    id: z.uuid(),
    flow: z.string().meta({ description: 'Which of the flows it is.' }),
    title: z.string().meta({ description: 'A short text for lists.' }),
    status: z.enum(['open', 'stopped', 'ended', 'cancelled']).meta({
      description:
        '`open` while a step is at work or about to start; `stopped` where one failed or was cancelled: retry its job, and the flow goes on.',
    }),
    steps: z.array(flowStepSchema),
    credits: count.meta({ description: 'What is charged for all steps now.' }),
    revision: count.meta({
      description: 'Grows with each change of the flow or of one of its jobs: the greater is the newer.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Flow' });
export type Flow = z.infer<typeof flowSchema>;

const MAX_FLOWS_LISTED = 50;

export const flowListQuerySchema = z.object({
  cursor: cursorSchema,
  limit: limitSchema(MAX_FLOWS_LISTED, 20),
});
export type FlowListQuery = z.infer<typeof flowListQuerySchema>;
