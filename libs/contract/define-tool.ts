import type { z } from 'zod';
import type { Plan } from './account.js';
import type { FieldError } from './errors.js';
import type { FileKind } from './limits.js';
import type { QueueName } from './jobs.js';

/** A file field of a tool; the request is multipart then. The kind decides the accepted sizes and types. */
export interface FileField {
  /** `image` is PNG, JPEG or WebP; `mask` is PNG. The file's bytes decide. */
  kind: FileKind;
  required: boolean;
  missing: string;
  /** Whether the id of a creation, in the field `creation`, may replace the file. */
  orCreation?: boolean;
  /** For an image, a limit below `IMAGE_MAX_MEGAPIXELS`. */
  maxMegapixels?: number;
}

/** A kind of creation on the dashboard. Several tools may make the same kind. */
export interface CreationType {
  /** The stored name, such as `blog-title`, also used by the API. */
  type: string;
  label: string;
  /** Whether its user may edit it: it is Markdown that no program parses. */
  editable?: boolean;
}

/**
 * A tool's input, price, limits and output. It runs in a browser too, where the form validates with the same `input`.
 * `POST /api/ai/{name}` takes `input` and `files` and answers the fields of `output`.
 */
export interface ToolContract<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Creation extends CreationType | null = CreationType | null,
> {
  /** The tool's name on its card and in `GET /api/config`. */
  title: string;
  /** The sidebar's entry and the page's heading. */
  label: string;
  /** The sentence on the tool's card. */
  tagline: string;
  /** The sentence on the API page. */
  description: string;
  /** The tool's place in the sidebar and among the cards, from 1. No two tools have the same. */
  order: number;
  /** The creation that a successful job adds to the dashboard; null if its result is stored elsewhere. */
  creation: Creation;
  /** The fields. In a multipart request they are all text. */
  input: Input;
  files?: Record<string, FileField>;
  /** Validates fields and files together; null when they are valid. */
  check?: (input: z.infer<Input>, files: ReadonlySet<string>) => FieldError | null;
  /** The inputs of the jobs that one request starts, each charged separately. Default: one job. */
  copies?: (input: z.infer<Input>) => z.infer<Input>[];
  output: Output;
  queue: QueueName;
  /** Whether pretrained models on the server do its work when no AI service is configured. */
  runsOnModels?: boolean;
  plan: Plan;
  credits: number;
  /** Seconds one attempt may run before the job ends with `JOB_TIMED_OUT`. */
  timeLimitSeconds: number;
  /** A number that jobs of about the same size share; estimates group by it. Default: the size class of the files. */
  size?: (input: z.infer<Input>) => number;
  /** A job's short text for lists, at most 80 characters. */
  jobTitle: (input: z.infer<Input>, fileNames: Record<string, string>) => string;
  /** The toast and the `message` of a successful answer. */
  successMessage: string;
  /** The heading of a failed job. */
  failureMessage?: string;
}

/** One number for amounts within a factor of about four. */
export const sizeClass = (amount: number): number => Math.floor(Math.log2(Math.max(1, amount)) / 2);

/** {@link ToolContract.size}, or the size class of the files. */
export const sizeClassOf = (tool: ToolContract, input: unknown, fileBytes: number): number =>
  tool.size?.(input) ?? (fileBytes > 0 ? sizeClass(fileBytes) : 0);

export function defineTool<
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Creation extends CreationType | null,
>(contract: ToolContract<Input, Output, Creation>): ToolContract<Input, Output, Creation> {
  return contract;
}

/** @throws Error when two tools have the same order, or one creation type has two labels */
export function defineCatalogue<const Tools extends Record<string, ToolContract>>(tools: Tools): Tools {
  const orders = new Map<number, string>();
  const labels = new Map<string, { label: string; name: string }>();
  for (const [name, { order, creation }] of Object.entries(tools)) {
    const other = orders.get(order);
    if (other) throw new Error(`The tools ${other} and ${name} have the same order, ${order}.`);
    orders.set(order, name);
    if (!creation) continue;
    const first = labels.get(creation.type) ?? { label: creation.label, name };
    labels.set(creation.type, first);
    if (first.label !== creation.label) {
      throw new Error(
        `The creation type ${creation.type} has two labels: “${first.label}” in ${first.name} and “${creation.label}” in ${name}.`,
      );
    }
  }
  return tools;
}
