import type { z } from 'zod';
import type { Plan } from '#libs/contract/account.js';

/** The queues that workers serve; a tool's jobs wait in one of them. */
export type QueueName = 'text' | 'image' | 'pdf';

/**
 * What a tool takes, costs, allows and returns. Pure: it runs in a browser too, where the form validates with
 * the same `input`. `POST /api/ai/{name}` takes `input` and answers the fields of `output`.
 */
export interface ToolContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** The tool's name on cards and in lists. */
  title: string;
  description: string;
  input: Input;
  output: Output;
  queue: QueueName;
  plan: Plan;
  /** Credits a job costs on the free plan. */
  credits: number;
  /** Seconds one attempt may run before the job ends with `JOB_TIMED_OUT`. */
  timeLimitSeconds: number;
  /** A job's short text for lists, at most 80 characters. */
  jobTitle: (input: z.infer<Input>) => string;
  /** The toast and the `message` of a successful answer. */
  successMessage: string;
}

export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  contract: ToolContract<Input, Output>,
): ToolContract<Input, Output> {
  return contract;
}
