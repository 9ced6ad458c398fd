import type { z } from 'zod';
import type { Plan } from './account.js';
import type { FieldError } from './errors.js';
import type { FileKind } from './file-kinds.js';
import type { QueueName } from './queues.js';

/** A file that a tool takes beside its fields; the request is multipart then. Sizes and types follow from the kind. */
export interface FileField {
  /** `image` is PNG, JPEG or WebP; `mask` is PNG. Judged by the file's own bytes. */
  kind: FileKind;
  required: boolean;
  /** What the user is told when a required file is missing. */
  missing: string;
}

/**
 * What a tool takes, costs, allows and returns. Pure: it runs in a browser too, where the form validates with
 * the same `input`. `POST /api/ai/{name}` takes `input` and `files` and answers the fields of `output`.
 */
export interface ToolContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** The tool's name on cards and in lists. */
  title: string;
  description: string;
  /** The fields. Of a multipart request they all arrive as text. */
  input: Input;
  /** The files by their field's name. */
  files?: Record<string, FileField>;
  /** What must hold between fields and files, beyond what each says alone; null when all is well. */
  check?: (input: z.infer<Input>, files: ReadonlySet<string>) => FieldError | null;
  output: Output;
  queue: QueueName;
  plan: Plan;
  /** Credits a job costs on the free plan. */
  credits: number;
  /** Seconds one attempt may run before the job ends with `JOB_TIMED_OUT`. */
  timeLimitSeconds: number;
  /** A job's short text for lists, at most 80 characters. */
  jobTitle: (input: z.infer<Input>, fileNames: Record<string, string>) => string;
  /** The toast and the `message` of a successful answer. */
  successMessage: string;
  /** What a failed job is headed by, where the tool has words of its own for it. */
  failureMessage?: string;
}

export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  contract: ToolContract<Input, Output>,
): ToolContract<Input, Output> {
  return contract;
}
