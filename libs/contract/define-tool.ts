import type { z } from 'zod';
import type { Plan } from './account.js';
import type { FieldError } from './errors.js';
import type { FileKind } from './limits.js';
import type { QueueName } from './jobs.js';

/** Kinds of work, each a scope of API keys. */
export const toolGroups = ['text', 'resumes', 'images', 'documents'] as const;
export type ToolGroup = (typeof toolGroups)[number];

/** A file field of a tool. A tool with file fields takes multipart requests. */
export interface FileField {
  /** Determines the accepted types and size, see `fileKinds`. The type is detected from the file's bytes. */
  kind: FileKind;
  required: boolean;
  /** The error message if a required file is missing. */
  missing: string;
  /** True if the request may have the id of a creation, in the field `creation`, instead of the file. */
  orCreation?: boolean;
  /** For images: a limit lower than the default, `IMAGE_MAX_MEGAPIXELS`. */
  maxMegapixels?: number;
}

/** A type of creation on the dashboard. Several tools may create the same type. */
export interface CreationType {
  /** The name in the database and the API, such as `blog-title`. */
  type: string;
  label: string;
  /** True if users may edit it. Its content must be Markdown that no code parses. */
  editable?: boolean;
}

/**
 * A tool's input, price, limits and output. Servers and browsers share it: the tool's form validates with the same `input`.
 * `POST /api/ai/{name}` takes `input` and `files` and responds with the fields of `output`.
 */
export interface ToolContract<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Creation extends CreationType | null = CreationType | null,
> {
  /** The tool's name on its card and in `GET /api/config`. */
  title: string;
  /** The tool's name in the sidebar and the heading of its page. */
  label: string;
  /** The sentence on the tool's card. */
  tagline: string;
  /** Valid fields of a request, without files, for the API documentation. */
  example: z.input<Input>;
  /** The sentence about the tool in the API documentation. */
  description: string;
  /** The tool's position in the sidebar and among the cards, from 1. Must be unique. */
  order: number;
  /** The scope that an API key needs to run the tool. */
  group: ToolGroup;
  /**
   * The tool on whose page this one is offered. Then it has no page, card and sidebar entry of its own.
   */
  partOf?: string;
  /** The type of creation that a successful job adds to the dashboard; null if the job adds none. */
  creation: Creation;
  /** The schema of the request's fields. Must accept strings for all fields, since multipart requests have no other type. */
  input: Input;
  files?: Record<string, FileField>;
  /** Validates fields and files together; null if they are valid. `files` are the names of the fields with a file. */
  check?: (input: z.infer<Input>, files: ReadonlySet<string>) => FieldError | null;
  /** Returns the input of each job that the request starts; each job is charged. Default: one job with the same input. */
  copies?: (input: z.infer<Input>) => z.infer<Input>[];
  output: Output;
  queue: QueueName;
  /** True if the tool uses a pretrained model on this server when no AI service is configured. */
  runsOnModels?: boolean;
  plan: Plan;
  credits: number;
  /** Maximum seconds of one attempt. Then the job fails with `JOB_TIMED_OUT`. */
  timeLimitSeconds: number;
  /** Returns a number that groups jobs of similar size, to estimate durations. Default: `sizeClass` of the files. */
  size?: (input: z.infer<Input>) => number;
  /** Returns a job's title for lists, at most 80 characters. */
  jobTitle: (input: z.infer<Input>, fileNames: Record<string, string>) => string;
  /** Text of the toast, and `message` of the successful response. */
  successMessage: string;
  /** In place of `successMessage` for a result that was made without an AI service. */
  offlineSuccessMessage?: string;
  /** Heading of the message about a failed job. */
  failureMessage?: string;
}

/** The text for a successful job with this result. */
export const successMessageOf = (
  {
    successMessage,
    offlineSuccessMessage = successMessage,
  }: Pick<ToolContract, 'successMessage' | 'offlineSuccessMessage'>,
  result: { engine?: unknown } | null,
): string => (result?.engine === 'offline' ? offlineSuccessMessage : successMessage);

/** Groups amounts on a logarithmic scale: each class spans a factor of four. */
export const sizeClass = (amount: number): number => Math.floor(Math.log2(Math.max(1, amount)) / 2);

/** The size of a job: by {@link ToolContract.size}, or by default the size class of its files. */
export const sizeClassOf = (tool: ToolContract, input: unknown, fileBytes: number): number =>
  tool.size?.(input) ?? (fileBytes > 0 ? sizeClass(fileBytes) : 0);

export function defineTool<
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Creation extends CreationType | null,
>(contract: ToolContract<Input, Output, Creation>): ToolContract<Input, Output, Creation> {
  return contract;
}

/** Checks the tools of the catalogue. @throws Error if two tools have the same order, or one creation type has two labels */
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
