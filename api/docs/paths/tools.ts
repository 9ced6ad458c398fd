import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import type { ErrorCode } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/file-kinds.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import type { ToolContract } from '#libs/contract/define-tool.js';
import {
  accepted,
  COMMON,
  failures,
  FILES,
  json,
  OUTCOME,
  SUBMISSION,
  submissionHeaders,
  success,
  withJob,
} from '../answers.js';

export const toolPaths: ZodOpenApiPathsObject = Object.fromEntries(
  toolNames.map((name) => [`/api/ai/${name}`, { post: toolOperation(name, tools[name]) }]),
);

function toolOperation(name: string, tool: ToolContract): ZodOpenApiOperationObject {
  const output = tool.output as z.ZodObject;
  const refusals: ErrorCode[] = tool.plan === 'premium' ? ['PREMIUM_REQUIRED', ...SUBMISSION] : SUBMISSION;
  return {
    tags: ['Tools'],
    operationId: name,
    summary: tool.title,
    description: `${tool.description} Costs ${tool.credits} credit on the free plan. A plain call is held until the job ends.`,
    requestParams: { header: submissionHeaders },
    requestBody: toolBody(tool),
    responses: {
      200: json(
        success({ ...output.shape, creationId: z.uuid().optional(), message: z.string(), jobId: z.uuid() }),
        'The job succeeded',
      ),
      202: accepted(withJob),
      ...failures(['VALIDATION_FAILED', ...(tool.files ? FILES : []), ...COMMON, ...refusals, ...OUTCOME]),
    },
  };
}

function toolBody(tool: ToolContract): ZodOpenApiRequestBodyObject {
  const files = Object.values(tool.files ?? {});
  const json = { 'application/json': { schema: tool.input } };
  if (files.length === 0) return { required: true, content: json };
  const multipart = { 'multipart/form-data': { schema: multipartSchema(tool) } };
  return {
    required: true,
    content: files.some(({ required }) => required) ? multipart : { ...multipart, ...json },
  };
}

/** Fields and files of a tool as one form; what is required of a JSON request is required here too. */
function multipartSchema({ input, files = {} }: ToolContract): z.ZodType {
  const parts = Object.entries(files).map(([name, { kind, required }]) => {
    const { types, maxBytes } = fileKinds[kind];
    const file = z.file().meta({ description: `${types.join(', ')}; at most ${maxBytes / 1024 / 1024} MB.` });
    return [name, required ? file : file.optional()] as const;
  });
  return z.object({ ...(input as z.ZodObject).shape, ...Object.fromEntries(parts) });
}
