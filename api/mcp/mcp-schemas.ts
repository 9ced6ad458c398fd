import { fromJsonSchema } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { describeFile } from '#libs/contract/limits.js';
import { contractOf, type ToolName } from '#libs/tools/catalogue.js';
import { fileSchema } from './mcp-files.js';

/** Arguments of a call, checked against the schema of its tool. */
export type Arguments = Record<string, unknown>;

type Schema<T> = ReturnType<typeof fromJsonSchema<T>>;

export const jobInput = fromJsonSchema<{ jobId: string }>({
  type: 'object',
  properties: { jobId: { type: 'string', format: 'uuid' } },
  required: ['jobId'],
  additionalProperties: false,
});

export const outcomeSchema = fromJsonSchema({
  type: 'object',
  properties: {
    jobId: { type: 'string', format: 'uuid' },
    status: { type: 'string', description: 'A job that is queued or running continues: ask get_job.' },
    percent: { type: 'number' },
    result: { type: 'object', description: 'The result of a job that succeeded.' },
  },
  required: ['jobId', 'status'],
});

const inputSchemas = new Map<ToolName, Schema<Arguments>>();

/** A tool's fields, and its files as data or links. Built once, since each request has a server with all tools. */
export function inputSchemaOf(name: ToolName): Schema<Arguments> {
  const schema = inputSchemas.get(name) ?? buildInputSchema(name);
  inputSchemas.set(name, schema);
  return schema;
}

function buildInputSchema(name: ToolName): Schema<Arguments> {
  const { input, files = {} } = contractOf(name);
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const properties: Record<string, unknown> = { ...schema.properties };
  for (const [field, { kind }] of Object.entries(files)) properties[field] = fileSchema(describeFile(kind));
  const requiredFiles = Object.entries(files)
    .filter(([, { required, orCreation }]) => required && !orCreation)
    .map(([field]) => field);
  return fromJsonSchema<Arguments>({
    ...schema,
    type: 'object',
    properties,
    required: [...(schema.required ?? []), ...requiredFiles],
  } as Parameters<typeof fromJsonSchema>[0]);
}
